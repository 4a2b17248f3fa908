import { NULL, NUMBER_NAMES, type NumberName } from '../sample/sample-columns.ts';
import { TIME_NAMES } from '../timing/time-names.ts';
import type { BatchRoom } from './batch-room.ts';
import { type ByteScanner, otherShape } from './byte-scanner.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import { KnownTexts } from './known-texts.ts';
import type { RawColumns } from './raw-columns.ts';
import { readMetricColumn } from './read-columns.ts';
import type { WireDictionaries } from './wire-batch.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS } from './wire-limits.ts';

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Part of the bytes as text. */
export type ReadText = (from: number, to: number) => string;
type DictionaryName = keyof WireDictionaries;

/** Texts to remember and the bytes of the longest: enough for the templates of a few hundred hosts. */
const KNOWN_TEMPLATES = [1 << 15, 127] as const;
const KNOWN_WORDS = [1 << 12, 63] as const;
/** Nine times at most, each with its name. */
const KNOWN_REASONS = [1 << 8, 254] as const;
const KNOWN_KEYS = [1 << 8, 31] as const;
const sizeOf = (name: string): readonly [places: number, longest: number] =>
  name === 'template' ? KNOWN_TEMPLATES : name === 'unknown' ? KNOWN_REASONS : KNOWN_WORDS;
const known = Object.fromEntries(
  Object.keys(DICTIONARY_RULES).map((name) => [name, new KnownTexts(...sizeOf(name))]),
) as Record<DictionaryName, KnownTexts>;
const knownKeys = new KnownTexts(...KNOWN_KEYS);

/**
 * Names as this program spells them, and what they name. A name that was read is another string of the same letters, and
 * an object would look it up letter by letter, for every column of every batch.
 */
const NAMES: ReadonlyMap<string, { readonly name: string; readonly kind: 'dictionary' | 'number' | 'time' | 'part' }> =
  new Map(
    [
      ...['n', 'dictionaries', 'columns', 'at', 'times', 'metrics'].map((name) => ({ name, kind: 'part' as const })),
      ...Object.keys(DICTIONARY_RULES).map((name) => ({ name, kind: 'dictionary' as const })),
      ...NUMBER_NAMES.map((name) => ({ name, kind: 'number' as const })),
      ...TIME_NAMES.map((name) => ({ name, kind: 'time' as const })),
    ].map((known) => [known.name, known]),
  );
const kindOf = (name: string) => NAMES.get(name)?.kind;

const isDictionary = (name: string): name is DictionaryName => kindOf(name) === 'dictionary';

export type ScannedDictionaries = Partial<Record<DictionaryName, readonly string[]>>;

/** `{"host":["a.test",…],…}`, every entry of it one that may be stored. */
export function scanDictionaries(scanner: ByteScanner, readText: ReadText): ScannedDictionaries {
  const dictionaries: ScannedDictionaries = {};
  scanMembers(scanner, readText, (name) => {
    if (!isDictionary(name) || dictionaries[name] !== undefined) otherShape();
    dictionaries[name] = scanEntries(scanner, readText, name);
  });
  return dictionaries;
}

/** Used again for every list: one that grows has room for sixteen entries more than its one or two, and is soon garbage. */
const entries: string[] = [];

function scanEntries(scanner: ByteScanner, readText: ReadText, name: DictionaryName): readonly string[] {
  let n = 0;
  scanner.take(OPEN_LIST);
  if (!scanner.passes(CLOSE_LIST)) {
    do {
      if (n >= MAX_DICTIONARY_ENTRIES) otherShape();
      entries[n++] = scanEntry(scanner, readText, name);
    } while (scanner.more(CLOSE_LIST));
  }
  return entries.slice(0, n);
}

/** `{"at":[…],"host":[0,1,…],"times":{…},…}`, every column of `n` values. */
export function scanColumns(
  scanner: ByteScanner,
  readText: ReadText,
  n: number,
  dictionaries: ScannedDictionaries,
  room: BatchRoom,
): RawColumns {
  let at: Float64Array | null = null;
  let times = false;
  let metrics: RawColumns['metrics'] | null = null;
  const texts: { [K in DictionaryName]?: { entries: readonly string[]; codes: Int32Array } } = {};
  const numbers: { [K in NumberName]?: Float64Array } = {};
  const addNumbers = (name: string) => {
    if (numbers[name as NumberName] !== undefined) otherShape();
    numbers[name as NumberName] = scanNumbers(scanner, room.numbers(n));
  };
  scanMembers(scanner, readText, (name) => {
    if (isDictionary(name)) {
      if (texts[name] !== undefined) otherShape();
      texts[name] = { entries: dictionaries[name] ?? [], codes: scanCodes(scanner, room.codes(n)) };
    } else if (kindOf(name) === 'number') addNumbers(name);
    else if (name === 'at' && at === null) at = scanDeltas(scanner, room.numbers(n));
    else if (name === 'times' && !times) {
      times = true;
      scanMembers(scanner, readText, (time) => (kindOf(time) === 'time' ? addNumbers(time) : otherShape()));
    } else if (name === 'metrics' && metrics === null) metrics = scanMetrics(scanner, readText, n);
    else otherShape();
  });
  return { n, at: at ?? otherShape(), texts, numbers, metrics: times ? (metrics ?? []) : otherShape() };
}

/** `"name":` */
export function scanName(scanner: ByteScanner, readText: ReadText): string {
  scanner.text();
  scanner.take(COLON);
  const { bytes, start, end, hash } = scanner;
  const name = knownKeys.find(bytes, start, end, hash);
  if (name !== null) return name;
  const read = readText(start, end);
  const own = NAMES.get(read)?.name ?? read;
  knownKeys.remember(bytes, start, end, hash, own);
  return own;
}

function scanMembers(scanner: ByteScanner, readText: ReadText, member: (name: string) => void): void {
  scanner.take(OPEN_OBJECT);
  if (scanner.passes(CLOSE_OBJECT)) return;
  do {
    member(scanName(scanner, readText));
  } while (scanner.more(CLOSE_OBJECT));
}

function scanEntry(scanner: ByteScanner, readText: ReadText, name: DictionaryName): string {
  // Reasons are small objects; all others are texts.
  const isText = name !== 'unknown';
  if (isText) scanner.text();
  else scanner.through(CLOSE_OBJECT);
  const { bytes, start, end, hash } = scanner;
  const text = known[name].find(bytes, start, end, hash);
  if (text !== null) return text;
  const written = readText(start, end);
  const read = DICTIONARY_RULES[name].read(isText ? written : parseJson(written));
  if (read === null) otherShape();
  known[name].remember(bytes, start, end, hash, read);
  return read;
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    otherShape();
  }
}

function scanCodes(scanner: ByteScanner, codes: Int32Array): Int32Array {
  scanner.wholes(codes, NULL);
  return codes;
}

function scanNumbers(scanner: ByteScanner, numbers: Float64Array): Float64Array {
  scanner.wholes(numbers, NULL);
  return numbers;
}

function scanDeltas(scanner: ByteScanner, deltas: Float64Array): Float64Array {
  scanner.take(OPEN_LIST);
  for (let row = 0; row < deltas.length; row++) {
    if (row > 0) scanner.take(COMMA);
    deltas[row] = scanner.signed();
  }
  scanner.take(CLOSE_LIST);
  return deltas;
}

/** Few batches have any, and their numbers have fractions: `JSON.parse` is good enough. */
function scanMetrics(scanner: ByteScanner, readText: ReadText, n: number): RawColumns['metrics'] {
  const metrics: [string, Float64Array][] = [];
  scanMembers(scanner, readText, (name) => {
    if (metrics.length >= MAX_METRICS || metrics.some(([other]) => other === name)) otherShape();
    scanner.through(CLOSE_LIST);
    const column = parseJson(readText(scanner.start, scanner.end));
    const numbers = readMetricColumn({ [name]: column }, name, n);
    if (numbers !== null) metrics.push([name, numbers]);
  });
  return metrics;
}
