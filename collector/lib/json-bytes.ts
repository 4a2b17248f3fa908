/**
 * UTF-8 of a JSON text whose value is a T. It is written in the thread that has the data, transferred to the main thread and
 * sent unchanged: cloning, stringifying and encoding a large answer would block the event loop.
 */
export type JsonBytes<T> = Uint8Array & { readonly value?: T };

export function writeJson<T>(value: T): JsonBytes<T> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function readJson<T>(bytes: JsonBytes<T>): T {
  return JSON.parse(new TextDecoder().decode(bytes)) as T;
}

const EMPTY_OBJECT_BYTES = 2;
const COMMA = Buffer.from(',');

/** Joins two objects without parsing them; they must not have a name in common. */
export function joinJson<A extends object, B extends object>(a: JsonBytes<A>, b: JsonBytes<B>): JsonBytes<A & B> {
  const isEmpty = a.length === EMPTY_OBJECT_BYTES || b.length === EMPTY_OBJECT_BYTES;
  return Buffer.concat([a.subarray(0, -1), ...(isEmpty ? [] : [COMMA]), b.subarray(1)]);
}
