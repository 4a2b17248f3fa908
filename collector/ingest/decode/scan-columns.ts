import {
  type ByIndex,
  NULL,
  NUMBER_NAMES,
  TEXT_NAMES,
  type TextColumn,
} from '../../../shared/sample/sample-columns.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS } from '../../../shared/vocabulary/wire-limits.ts';
import type { WireDictionaries } from '../../../shared/wire/wire-batch.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { type ByteScanner, otherShape } from './byte-scanner.ts';
import type { ColumnBuffers } from './column-buffers.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import { InternTable } from './intern-table.ts';
import { isTime, readMetricColumn } from './read-columns.ts';
import type { NumberSummary } from './validate-times.ts';

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** In all dictionaries of a batch: browsers include only those that a row needs. */
const MAX_STRINGS = 10_000;
/**
 * Strings of a batch that are not interned yet. Each takes a microsecond or two of the writer's time, which all batches
 * wait for; a browser that returns after a week brings a few hundred.
 */
const MAX_UNKNOWN_STRINGS = 1_000;
/** For a string that isn't interned yet: 512 characters, or nine reasons. */
const MAX_STRING_BYTES = 2048;
/** Per number in a column of metrics. */
const MAX_METRIC_BYTES = 32;

type DictionaryName = keyof WireDictionaries;

/** Slots of intern tables and bytes of the longest string: enough for the templates of a few hundred hosts. */
const KNOWN_TEMPLATES = [1 << 15, 255] as const;
const KNOWN_STRINGS = [1 << 12, 255] as const;
/** A string has at most nine times, each with its name. */
const KNOWN_REASONS = [1 << 8, 254] as const;
const KNOWN_NAMES = [1 << 8, 31] as const;

/** The role of a member's name in a batch. One interned object saves hashing the name again for every column of every batch. */
export type MemberName =
  | {
      readonly kind: 'dictionary';
      readonly name: DictionaryName;
      /** In TEXT_NAMES. */
      readonly index: number;
      readonly known: InternTable<string>;
    }
  /** With its index in NUMBER_NAMES. */
  | { readonly kind: 'number' | 'time'; readonly name: string; readonly index: number }
  /** Distinguished by literals of this program: comparing with a string that was read visits every character. */
  | { readonly kind: Part; readonly name: string }
  | { readonly kind: 'other'; readonly name: string };
type DictionaryMember = Extract<MemberName, { kind: 'dictionary' }>;

const PARTS = ['n', 'dictionaries', 'columns', 'at', 'times', 'metrics'] as const;
type Part = (typeof PARTS)[number];

const MEMBERS: ReadonlyMap<string, MemberName> = new Map(
  [
    ...PARTS.map((name) => ({ kind: name, name })),
    ...TEXT_NAMES.map((name, index) => {
      const [slots, longest] =
        name === 'template' ? KNOWN_TEMPLATES : name === 'unknown' ? KNOWN_REASONS : KNOWN_STRINGS;
      return { kind: 'dictionary' as const, name, index, known: new InternTable<string>(slots, longest) };
    }),
    ...NUMBER_NAMES.map((name, index) => ({ kind: isTime(name) ? 'time' : 'number', name, index }) as const),
  ].map((member) => [member.name, member]),
);
const knownNames = new InternTable<MemberName>(...KNOWN_NAMES);

type ScannedStrings = Pick<TextColumn, 'strings' | 'numbers'>;
const NO_STRINGS: ScannedStrings = { strings: [] };
export type ScannedDictionaries = ByIndex<ScannedStrings>;

/** `{"host":["a.test",…],…}`, with valid strings only. */
export function scanDictionaries(scanner: ByteScanner): ScannedDictionaries {
  const dictionaries = allUndefined<ScannedStrings>(TEXT_NAMES);
  let all = 0;
  unknownStrings = 0;
  scanMembers(scanner, (member) => {
    if (member.kind === 'other') {
      scanner.skip();
      return;
    }
    if (member.kind !== 'dictionary' || dictionaries[member.index] !== undefined) otherShape();
    const dictionary = scanStrings(scanner, member);
    all += dictionary.strings.length;
    if (all > MAX_STRINGS) otherShape();
    dictionaries[member.index] = dictionary;
  });
  return dictionaries;
}

/** Reused for every list: V8 grows an array of one or two elements by sixteen, which would soon be garbage. */
const strings: string[] = [];
const stringNumbers: number[] = [];
/** The current batch's. */
let unknownStrings = 0;

function scanStrings(scanner: ByteScanner, member: DictionaryMember): ScannedStrings {
  const { known } = member;
  const { edition } = known;
  let n = 0;
  let numbered = true;
  scanner.take(OPEN_LIST);
  if (!scanner.passes(CLOSE_LIST)) {
    do {
      if (n >= MAX_DICTIONARY_ENTRIES) otherShape();
      const number = scanString(scanner, member, n);
      stringNumbers[n++] = number;
      if (number < 0) numbered = false;
    } while (scanner.more(CLOSE_LIST));
  }
  const list = strings.slice(0, n);
  // Numbers of an earlier edition can't be compared with the rest.
  if (!numbered || known.edition !== edition) return { strings: list };
  return { strings: list, numbers: { edition, of: stringNumbers.slice(0, n) } };
}

/** `{"at":[…],"host":[0,1,…],"times":{…},…}`, every column of `n` values. */
export function scanColumns(
  scanner: ByteScanner,
  n: number,
  dictionaries: ScannedDictionaries,
  buffers: ColumnBuffers,
): { readonly columns: BatchColumns; readonly summary: NumberSummary } {
  let at: Float64Array | null = null;
  let times = false;
  let metrics: BatchColumns['metrics'] | null = null;
  const texts = allUndefined<TextColumn>(TEXT_NAMES);
  const numbers = allUndefined<Float64Array>(NUMBER_NAMES);
  const nulls = buffers.codes(n).fill(0);
  let short = 0;
  const addNumbers = (index: number) => {
    if (numbers[index] !== undefined) otherShape();
    const column = buffers.numbers(n);
    if (scanner.wholes(column, NULL, nulls, 1 << index)) short |= 1 << index;
    numbers[index] = column;
  };
  scanMembers(scanner, (member) => {
    const { kind } = member;
    if (kind === 'dictionary') {
      const { index } = member;
      if (texts[index] !== undefined) otherShape();
      const dictionary = dictionaries[index] ?? NO_STRINGS;
      texts[index] = { strings: dictionary.strings, numbers: dictionary.numbers, codes: buffers.codes(n) };
      // The summary has no bits for strings.
      scanner.wholes(texts[index].codes, NULL, nulls, 0);
    } else if (kind === 'number') addNumbers(member.index);
    else if (kind === 'at' && at === null) at = scanDeltas(scanner, buffers.numbers(n));
    else if (kind === 'times' && !times) {
      times = true;
      scanMembers(scanner, (time) => {
        if (time.kind === 'time') addNumbers(time.index);
        else if (time.kind === 'other') scanner.skip();
        else otherShape();
      });
    } else if (kind === 'metrics' && metrics === null) metrics = scanMetrics(scanner, n);
    else if (kind === 'other') scanner.skip();
    else otherShape();
  });
  const columns = { n, at: at ?? otherShape(), texts, numbers, metrics: times ? (metrics ?? []) : otherShape() };
  return { columns, summary: { nulls, short } };
}

/** At full length: growing arrays are copied, and arrays with holes are slower. */
function allUndefined<Column>(names: readonly string[]): (Column | undefined)[] {
  return new Array<Column | undefined>(names.length).fill(undefined);
}

/** `"name":` */
export function scanName(scanner: ByteScanner): MemberName {
  scanner.text();
  if (scanner.escaped) otherShape();
  scanner.take(COLON);
  const { bytes, start, end, hash } = scanner;
  const found = knownNames.find(bytes, start, end, hash);
  if (found >= 0) return knownNames.value(found);
  const name = scanner.textOf(start, end);
  const member = MEMBERS.get(name) ?? { kind: 'other', name };
  knownNames.add(bytes, start, end, hash, member);
  return member;
}

function scanMembers(scanner: ByteScanner, each: (member: MemberName) => void): void {
  scanner.take(OPEN_OBJECT);
  if (scanner.passes(CLOSE_OBJECT)) return;
  do {
    each(scanName(scanner));
  } while (scanner.more(CLOSE_OBJECT));
}

/** Puts a string into `strings`. Returns its number, −1 if it has none. */
function scanString(scanner: ByteScanner, { name, known }: DictionaryMember, position: number): number {
  // Reasons are small objects, all others strings.
  const isText = name !== 'unknown';
  if (isText) scanner.text();
  else scanner.through(CLOSE_OBJECT);
  const { bytes, start, end, hash } = scanner;
  const number = known.find(bytes, start, end, hash);
  if (number >= 0) {
    strings[position] = known.value(number);
    return number;
  }
  if (end - start > MAX_STRING_BYTES || ++unknownStrings > MAX_UNKNOWN_STRINGS) otherShape();
  const written = scanner.textOf(start, end);
  const isPlain = isText && !scanner.escaped;
  const read = DICTIONARY_RULES[name].read(isPlain ? written : parseJson(isText ? `"${written}"` : written));
  if (read === null) otherShape();
  strings[position] = read;
  return known.add(bytes, start, end, hash, read);
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written) as unknown;
  } catch {
    otherShape();
  }
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

/** Few batches have any, and their numbers have fractions, so `JSON.parse` is good enough. */
function scanMetrics(scanner: ByteScanner, n: number): BatchColumns['metrics'] {
  const metrics: [string, Float64Array][] = [];
  scanMembers(scanner, ({ name }) => {
    if (metrics.length >= MAX_METRICS || metrics.some(([other]) => other === name)) otherShape();
    scanner.through(CLOSE_LIST);
    if (scanner.end - scanner.start > (n + 1) * MAX_METRIC_BYTES) otherShape();
    const column = parseJson(scanner.textOf(scanner.start, scanner.end));
    const numbers = readMetricColumn({ [name]: column }, name, n);
    if (numbers !== null) metrics.push([name, numbers]);
  });
  return metrics;
}
