/** Untrusted JSON: anything may be missing or of another type. */
export type Json = Readonly<Record<string, unknown>>;

export function objectAt(value: unknown, name: string): Json {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

export function textAt(value: Json, name: string): string {
  const found = value[name];
  return typeof found === 'string' ? found : '';
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** null for −1, which is HAR's "unknown", and for anything but a number. Some tools write numbers as text. */
export function numberAt(value: Json, name: string): number | null {
  const found = value[name];
  const number = typeof found === 'string' && NUMBER.test(found) ? Number(found) : found;
  return typeof number === 'number' && Number.isFinite(number) && number !== -1 ? number : null;
}

/** The value of the first header of that name, which is given in lower case; empty if there is none. */
export function headerAt(message: Json, name: string): string {
  const header = listAt(message, 'headers').find((one) => isObject(one) && textAt(one, 'name').toLowerCase() === name);
  return isObject(header) ? textAt(header, 'value') : '';
}

export function listAt(value: Json, name: string): readonly unknown[] {
  const found = value[name];
  return Array.isArray(found) ? found : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** undefined if it is not JSON. */
export function parsePiece(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
