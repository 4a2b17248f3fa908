import { Type } from 'typebox';

const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String(),
        message: Type.String(),
        hint: Type.String(),
        problems: Type.Optional(
          Type.Array(
            Type.Object(
              { path: Type.String(), message: Type.String(), hint: Type.String() },
              { additionalProperties: false },
            ),
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'Every error of the interface.' },
);

/** The error responses every route can give. */
export const ERRORS = { '4xx': ErrorSchema, '5xx': ErrorSchema } as const;
