import { Type } from 'typebox';

/** What is wrong with a settings document, and where. */
export const SettingsProblemSchema = Type.Object(
  {
    path: Type.String(),
    message: Type.String(),
    hint: Type.String(),
    code: Type.String(),
    /** What the message names. */
    values: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);

const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        hint: Type.String(),
        problems: Type.Optional(Type.Array(SettingsProblemSchema)),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'Every error of the interface.' },
);

/** The error responses every route can give. */
export const ERRORS = { '4xx': ErrorSchema, '5xx': ErrorSchema } as const;
