import { Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';

/** What is wrong with a settings document, and where. */
export const SettingsProblemSchema = object({
  path: Type.String(),
  message: Type.String(),
  hint: Type.String(),
  code: Type.String(),
  /** What the message names. */
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const ErrorSchema = object(
  {
    error: object({
      code: Type.String(),
      message: Type.String(),
      hint: Type.String(),
      problems: Type.Optional(Type.Array(SettingsProblemSchema)),
    }),
  },
  { description: 'Every error of the interface.' },
);

/** The error responses every route can give. */
export const ERRORS = { '4xx': ErrorSchema, '5xx': ErrorSchema } as const;
