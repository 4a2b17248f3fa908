import { type TObjectOptions, type TSchema, Type } from 'typebox';

/** An object without further members: an unknown name is refused, and none is sent that its schema does not have. */
export const object = <P extends Record<string, TSchema>>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
export const orNull = <T extends TSchema>(schema: T, options: { readonly description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);
export const words = <const W extends string>(all: readonly W[]) =>
  Type.Unsafe<W>(Type.Union(all.map((word) => Type.Literal(word))));
