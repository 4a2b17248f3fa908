import fc from 'fast-check';

/** Texts that something once stumbled over: names of prototypes, control characters, markup, formulas. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\ufffe',
  '😀',
  'İ',
  '\u202eabc',
  '\u0000',
  '\u007f',
  '\u2028',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'null',
  '(other)',
  '(few browsers)',
  '../../etc/passwd',
  '=1+1',
  '%ff',
  '%',
  '&',
  '{n}',
  '<script>',
  '-1',
  '1e999',
  'x'.repeat(513),
];

const ODD_NUMBERS = [0, -0, -1, 0.5, 1e-9, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 8.64e15, 8.64e15 + 1, 1e308, -1e308];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The same, and half characters more often: JSON can write them and nothing can store them. */
export const oddText = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('\ud800', 'a\udc00b') },
  { weight: 8, arbitrary: fc.constantFrom(...ODD_TEXTS) },
);

const oddValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: fc.constantFrom<Json>(...ODD_NUMBERS) },
  fc.constantFrom<Json>(null, true, [], {}, [[]], { constructor: 1 }, JSON.parse('{"__proto__":{"a":1}}')),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

interface Edit {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'repeat' | 'rename' | 'copy';
  readonly value: Json;
  readonly from: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(100_000),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'rename', 'copy'),
  value: oddValue,
  from: fc.nat(100_000),
});

/** The document with some of its values replaced, removed, repeated, renamed or moved: still JSON, and mostly its shape. */
export function mutated(document: fc.Arbitrary<Json>, maxEdits: number): fc.Arbitrary<Json> {
  return fc
    .tuple(document, fc.array(edit, { maxLength: maxEdits }))
    .map(([whole, edits]) => edits.reduce(applyEdit, whole));
}

interface Place {
  readonly parent: Record<string, Json> | Json[];
  readonly name: string | number;
}

function applyEdit(document: Json, { at, how, value, from }: Edit): Json {
  const root = { whole: structuredClone(document) } as Record<string, Json>;
  const places = placesOf(root);
  const { parent, name } = places[at % places.length] as Place;
  const slots = parent as Record<string | number, Json>;
  if (how === 'replace') put(slots, name, value);
  else if (how === 'copy') {
    const source = places[from % places.length] as Place;
    put(slots, name, structuredClone((source.parent as Record<string | number, Json>)[source.name] as Json));
  } else if (Array.isArray(parent)) {
    if (how === 'remove') parent.splice(Number(name), 1);
    else parent.splice(Number(name), 0, structuredClone(parent[Number(name)] as Json));
  } else if (parent !== root) {
    const old = slots[name] as Json;
    if (how !== 'repeat') delete slots[name];
    if (how !== 'remove') put(slots, typeof value === 'string' ? value : String(name).toUpperCase(), old);
  }
  return root.whole as Json;
}

/** Own properties only: an assignment to `__proto__` would set none. */
function put(slots: Record<string | number, Json>, name: string | number, value: Json): void {
  Object.defineProperty(slots, name, { value, enumerable: true, configurable: true, writable: true });
}

function placesOf(root: Record<string, Json> | Json[]): Place[] {
  const found: Place[] = [];
  const open: (Record<string, Json> | Json[])[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const name of Array.isArray(parent) ? parent.keys() : Object.keys(parent)) {
      found.push({ parent, name });
      const child = (parent as Record<string | number, Json>)[name];
      if (typeof child === 'object' && child !== null) open.push(child as Record<string, Json> | Json[]);
    }
  }
  return found;
}

const PIECES = [
  '"',
  '\\',
  ',',
  ':',
  '[',
  ']',
  '{',
  '}',
  '0',
  '-',
  '.',
  'e9',
  'null',
  ' ',
  '\u0001',
  'é',
  '\\ud800',
  '',
];
const piece = fc.oneof(
  fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
  // Halves of characters, a byte-order mark, and any byte.
  fc.constantFrom([0xed, 0xa0, 0x80], [0xc3], [0xef, 0xbb, 0xbf], [0xff]).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
);

/** Bytes with some of them cut out, put in or changed. Mostly left as they are: what is no JSON is soon refused. */
export function spoilt(bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const cuts = fc.array(fc.record({ at: fc.nat(1_000_000), cut: fc.nat(3), put: piece }), { maxLength: 2 });
  return fc.tuple(bytes, fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, cuts)).map(([whole, edits]) =>
    edits.reduce<Buffer>((now, { at, cut, put }) => {
      const place = now.length === 0 ? 0 : at % now.length;
      return Buffer.concat([now.subarray(0, place), put, now.subarray(place + cut)]);
    }, whole),
  );
}

/** Throws where a text, at any depth, holds half of a character: such a text has no UTF-8. */
export function refuseHalfCharacters(value: unknown): void {
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value))
      throw new Error(`a text that is not well-formed was kept: ${JSON.stringify(value)}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      refuseHalfCharacters(name);
      refuseHalfCharacters(one);
    }
  }
}
