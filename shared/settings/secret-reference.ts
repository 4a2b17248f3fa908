import { type Static, Type } from 'typebox';
import { object } from '../vocabulary/json-schema.ts';

/** Where to find a secret: exactly one of the two. `secretProblems` decides which are allowed. Settings hold none. */
export const SecretReferenceSchema = object(
  {
    env: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$',
        description: 'Environment variable; its name begins with LASTBYTE_SECRET_.',
      }),
    ),
    file: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Name of a file in the secrets folder; whitespace around its text is removed.',
      }),
    ),
  },
  { minProperties: 1, maxProperties: 1 },
);
export type SecretReference = Static<typeof SecretReferenceSchema>;
