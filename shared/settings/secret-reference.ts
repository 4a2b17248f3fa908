import { type Static, Type } from 'typebox';

/** Where a secret lies; the settings themselves never hold one. Exactly one of both. */
export const SecretReferenceSchema = Type.Object(
  {
    env: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$', description: 'Environment variable.' })),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'A file; line ends are cut off.' })),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
);
export type SecretReference = Static<typeof SecretReferenceSchema>;
