import { type ByIndex, NULL, NUMBER_NAMES, TEXT_NAMES } from '../../../shared/sample/sample-columns.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS } from '../../../shared/vocabulary/wire-limits.ts';
import type { WireDictionaries } from '../../../shared/wire/wire-batch.ts';
import type { BatchRoom } from './batch-room.ts';
import { type ByteScanner, otherShape } from './byte-scanner.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import { KnownTexts } from './known-texts.ts';
import type { RawColumns, RawText } from './raw-columns.ts';
import { isTime, readMetricColumn } from './read-columns.ts';

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Of all dictionaries of a batch together: browsers name each only where a row needs it. */
const MAX_SCANNED_ENTRIES = 10_000;
/**
 * Of those, how many may be unknown yet. Each costs a microsecond or two of the writer, which all batches wait for; a browser
 * that comes back after a week brings some hundreds.
 */
const MAX_UNKNOWN_ENTRIES = 1_000;
/** Bytes of an entry that has to be looked at closely: 512 characters, or nine reasons. */
const MAX_ENTRY_BYTES = 2048;
/** Bytes of a number in a column of metrics. */
const MAX_METRIC_BYTES = 32;

/** Part of the bytes as text. */
export type ReadText = (from: number, to: number) => string;
type DictionaryName = keyof WireDictionaries;

/** Texts to remember and the bytes of the longest: enough for the templates of a few hundred hosts. */
const KNOWN_TEMPLATES = [1 << 15, 255] as const;
const KNOWN_WORDS = [1 << 12, 255] as const;
/** Nine times at most, each with its name. */
const KNOWN_REASONS = [1 << 8, 254] as const;
const KNOWN_NAMES = [1 << 8, 31] as const;

/**
 * What the name of a member is to a batch. As one object it is found once for each member: its letters are an object's to
 * look up, and a table's, and that for every column of every batch.
 */
export type MemberName =
  | {
      readonly kind: 'dictionary';
      readonly name: DictionaryName;
      /** Among TEXT_NAMES. */
      readonly place: number;
      readonly known: KnownTexts<string>;
    }
  /** With its place among NUMBER_NAMES. */
  | { readonly kind: 'number' | 'time'; readonly name: string; readonly place: number }
  /**
   * Each has a place of its own. Told apart by what stands in this program: texts that were read are compared letter by
   * letter.
   */
  | { readonly kind: Part; readonly name: string }
  | { readonly kind: 'other'; readonly name: string };
type DictionaryMember = Extract<MemberName, { kind: 'dictionary' }>;

const PARTS = ['n', 'dictionaries', 'columns', 'at', 'times', 'metrics'] as const;
type Part = (typeof PARTS)[number];

const MEMBERS: ReadonlyMap<string, MemberName> = new Map(
  [
    ...PARTS.map((name) => ({ kind: name, name })),
    ...TEXT_NAMES.map((name, place) => {
      const [places, longest] =
        name === 'template' ? KNOWN_TEMPLATES : name === 'unknown' ? KNOWN_REASONS : KNOWN_WORDS;
      return { kind: 'dictionary' as const, name, place, known: new KnownTexts<string>(places, longest) };
    }),
    ...NUMBER_NAMES.map((name, place) => ({ kind: isTime(name) ? 'time' : 'number', name, place }) as const),
  ].map((member) => [member.name, member]),
);
const knownNames = new KnownTexts<MemberName>(...KNOWN_NAMES);

type ScannedDictionary = Pick<RawText, 'entries' | 'numbers'>;
const NO_ENTRIES: ScannedDictionary = { entries: [] };
export type ScannedDictionaries = ByIndex<ScannedDictionary>;

/** `{"host":["a.test",…],…}`, every entry of it one that may be stored. */
export function scanDictionaries(scanner: ByteScanner, readText: ReadText): ScannedDictionaries {
  const dictionaries = noneYet<ScannedDictionary>(TEXT_NAMES);
  let all = 0;
  unknownEntries = 0;
  scanMembers(scanner, readText, (member) => {
    if (member.kind === 'other') {
      scanner.skip();
      return;
    }
    if (member.kind !== 'dictionary' || dictionaries[member.place] !== undefined) otherShape();
    const dictionary = scanEntries(scanner, readText, member);
    all += dictionary.entries.length;
    if (all > MAX_SCANNED_ENTRIES) otherShape();
    dictionaries[member.place] = dictionary;
  });
  return dictionaries;
}

/** Used again for every list: one that grows has room for sixteen entries more than its one or two, and is soon garbage. */
const entries: string[] = [];
const entryNumbers: number[] = [];
/** Of the batch that is being read. */
let unknownEntries = 0;

function scanEntries(scanner: ByteScanner, readText: ReadText, member: DictionaryMember): ScannedDictionary {
  const { known } = member;
  const { edition } = known;
  let n = 0;
  let numbered = true;
  scanner.take(OPEN_LIST);
  if (!scanner.passes(CLOSE_LIST)) {
    do {
      if (n >= MAX_DICTIONARY_ENTRIES) otherShape();
      const number = scanEntry(scanner, readText, member, n);
      entryNumbers[n++] = number;
      if (number < 0) numbered = false;
    } while (scanner.more(CLOSE_LIST));
  }
  const list = entries.slice(0, n);
  // Numbers from before a new edition began are not those of the rest.
  if (!numbered || known.edition !== edition) return { entries: list };
  return { entries: list, numbers: { edition, of: entryNumbers.slice(0, n) } };
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
  const texts = noneYet<RawText>(TEXT_NAMES);
  const numbers = noneYet<Float64Array>(NUMBER_NAMES);
  const nulls = room.codes(n).fill(0);
  let short = 0;
  const addNumbers = (place: number) => {
    if (numbers[place] !== undefined) otherShape();
    const column = room.numbers(n);
    if (scanner.wholes(column, NULL, nulls, 1 << place)) short |= 1 << place;
    numbers[place] = column;
  };
  scanMembers(scanner, readText, (member) => {
    const { kind } = member;
    if (kind === 'dictionary') {
      const { place } = member;
      if (texts[place] !== undefined) otherShape();
      const words = dictionaries[place] ?? NO_ENTRIES;
      texts[place] = { entries: words.entries, numbers: words.numbers, codes: room.codes(n) };
      // What is not known of texts nobody asks for by rows: no bit.
      scanner.wholes(texts[place].codes, NULL, nulls, 0);
    } else if (kind === 'number') addNumbers(member.place);
    else if (kind === 'at' && at === null) at = scanDeltas(scanner, room.numbers(n));
    else if (kind === 'times' && !times) {
      times = true;
      scanMembers(scanner, readText, (time) => {
        if (time.kind === 'time') addNumbers(time.place);
        else if (time.kind === 'other') scanner.skip();
        else otherShape();
      });
    } else if (kind === 'metrics' && metrics === null) metrics = scanMetrics(scanner, readText, n);
    else if (kind === 'other') scanner.skip();
    else otherShape();
  });
  const glance = { nulls, short };
  return { n, at: at ?? otherShape(), texts, numbers, glance, metrics: times ? (metrics ?? []) : otherShape() };
}

/** All of them at once: a list that grows is copied, and one with holes is slower. */
function noneYet<Column>(names: readonly string[]): (Column | undefined)[] {
  return new Array<Column | undefined>(names.length).fill(undefined);
}

/** `"name":` */
export function scanName(scanner: ByteScanner, readText: ReadText): MemberName {
  scanner.text();
  if (scanner.escaped) otherShape();
  scanner.take(COLON);
  const { bytes, start, end, hash } = scanner;
  const found = knownNames.find(bytes, start, end, hash);
  if (found >= 0) return knownNames.meaning(found);
  const name = readText(start, end);
  const member = MEMBERS.get(name) ?? { kind: 'other', name };
  knownNames.remember(bytes, start, end, hash, member);
  return member;
}

function scanMembers(scanner: ByteScanner, readText: ReadText, each: (member: MemberName) => void): void {
  scanner.take(OPEN_OBJECT);
  if (scanner.passes(CLOSE_OBJECT)) return;
  do {
    each(scanName(scanner, readText));
  } while (scanner.more(CLOSE_OBJECT));
}

/** Puts one into `entries`. Returns its number, −1 where it has none. */
function scanEntry(scanner: ByteScanner, readText: ReadText, { name, known }: DictionaryMember, place: number): number {
  // Reasons are small objects; all others are texts.
  const isText = name !== 'unknown';
  if (isText) scanner.text();
  else scanner.through(CLOSE_OBJECT);
  const { bytes, start, end, hash } = scanner;
  const number = known.find(bytes, start, end, hash);
  if (number >= 0) {
    entries[place] = known.meaning(number);
    return number;
  }
  if (end - start > MAX_ENTRY_BYTES || ++unknownEntries > MAX_UNKNOWN_ENTRIES) otherShape();
  const written = readText(start, end);
  const isPlain = isText && !scanner.escaped;
  const read = DICTIONARY_RULES[name].read(isPlain ? written : parseJson(isText ? `"${written}"` : written));
  if (read === null) otherShape();
  entries[place] = read;
  return known.remember(bytes, start, end, hash, read);
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

/** Few batches have any, and their numbers have fractions: `JSON.parse` is good enough. */
function scanMetrics(scanner: ByteScanner, readText: ReadText, n: number): RawColumns['metrics'] {
  const metrics: [string, Float64Array][] = [];
  scanMembers(scanner, readText, ({ name }) => {
    if (metrics.length >= MAX_METRICS || metrics.some(([other]) => other === name)) otherShape();
    scanner.through(CLOSE_LIST);
    if (scanner.end - scanner.start > (n + 1) * MAX_METRIC_BYTES) otherShape();
    const column = parseJson(readText(scanner.start, scanner.end));
    const numbers = readMetricColumn({ [name]: column }, name, n);
    if (numbers !== null) metrics.push([name, numbers]);
  });
  return metrics;
}
