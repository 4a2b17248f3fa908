import { NUMBER_NAMES, parseReasons, TEXT_NAMES, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import {
  AT_COLUMN,
  COLUMN_HEAD_BYTES,
  MAX_CODE_WIDTH,
  MAX_WIDTH,
  METRIC_COLUMN,
  METRIC_WIDTH,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from '../../../shared/wire/byte-layout.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import type { ColumnBuffers } from './column-buffers.ts';
import { DICTIONARY_RULES } from './dictionary-rules.ts';
import { hashOf, InternTable } from './intern-table.ts';
import { BatchFault, invalid, isMetricName, NO_INDEX } from './read-columns.ts';
import { readCodes, readDeltas, readNumbers } from './read-planes.ts';

/** What the writer's thread, which all batches wait for, may spend on one batch. */
export interface BytesLimits {
  /** In all dictionaries. */
  readonly strings: number;
  /** Not interned yet: each takes a microsecond or two. A browser that returns after a week brings a few hundred. */
  readonly unknownStrings: number;
  readonly statusBytes: number;
}

/** Twice the size of the largest status. */
export const WRITER_LIMITS: BytesLimits = { strings: 10_000, unknownStrings: 1_000, statusBytes: 128 * 1024 };
export const NO_LIMITS: BytesLimits = { strings: Infinity, unknownStrings: Infinity, statusBytes: Infinity };

/** A string with more bytes has more than 512 characters. */
const MAX_STRING_BYTES = 2048;
export const CUT_OFF = 'The lengths in a batch have to add up to its own: see docs/wire-format.md.';

/** Slots of intern tables and bytes of the longest string: enough for the templates of a few hundred hosts. */
const KNOWN_TEMPLATES = [1 << 15, 255] as const;
const KNOWN_STRINGS = [1 << 12, 255] as const;
type ColumnRole =
  | { readonly kind: 'text'; readonly index: number; readonly known: InternTable<string> }
  | { readonly kind: 'number'; readonly index: number }
  | { readonly kind: 'at' | 'metric' };

const ROLES: ReadonlyMap<number, ColumnRole> = new Map<number, ColumnRole>([
  [AT_COLUMN, { kind: 'at' }],
  [METRIC_COLUMN, { kind: 'metric' }],
  ...TEXT_NAMES.map((name, index): [number, ColumnRole] => {
    const known = new InternTable<string>(...(name === 'template' ? KNOWN_TEMPLATES : KNOWN_STRINGS));
    return [TEXT_COLUMNS[name], { kind: 'text', index, known }];
  }),
  ...NUMBER_NAMES.map((name, index): [number, ColumnRole] => [NUMBER_COLUMNS[name], { kind: 'number', index }]),
]);

/** Thrown when a batch exceeds BytesLimits. */
export const TOO_COSTLY = new Error('too costly for the thread of the writer');

/** The columns of one batch. A class, since V8 gives every closure of every batch a context of its own. */
export class ByteColumns {
  private readonly bytes: Buffer;
  private readonly n: number;
  private readonly buffers: ColumnBuffers;
  private readonly limits: BytesLimits;
  private at: Float64Array | null = null;
  private readonly texts = new Array<TextColumn | undefined>(TEXT_NAMES.length).fill(undefined);
  private readonly numbers = new Array<Float64Array | undefined>(NUMBER_NAMES.length).fill(undefined);
  private readonly metrics: [string, Float64Array][] = [];
  private strings = 0;
  private unknownStrings = 0;

  constructor(bytes: Buffer, n: number, buffers: ColumnBuffers, limits: BytesLimits) {
    if (n > MAX_ROWS) {
      throw new BatchFault('batch_too_large', `the batch has ${n} rows`, `Send at most ${MAX_ROWS} rows per batch.`);
    }
    this.bytes = bytes;
    this.n = n;
    this.buffers = buffers;
    this.limits = limits;
  }

  all(from: number, columns: number, firstAt: number): void {
    const { bytes } = this;
    let next = from;
    for (let column = 0; column < columns; column++) {
      const start = next + COLUMN_HEAD_BYTES;
      const end = start <= bytes.length ? start + bytes.readUInt32LE(next + 4) : Infinity;
      if (end > bytes.length) throw invalid(`column ${column + 1} of ${columns} is cut off`, CUT_OFF);
      const number = bytes[next] as number;
      const role = ROLES.get(number);
      // Of a later version.
      if (role !== undefined)
        this.column(role, number, bytes[next + 1] as number, bytes.readUInt16LE(next + 2), start, end);
      next = end;
    }
    if (next !== bytes.length) throw invalid('bytes follow the last column', CUT_OFF);
    if (this.at === null && this.n > 0) throw invalid('the column at is missing', 'Every row needs a time.');
    if (this.at !== null && this.n > 0) this.at[0] = (this.at[0] as number) + firstAt;
  }

  result(): BatchColumns {
    const { n, at, texts, numbers, metrics } = this;
    return { n, at: at ?? this.buffers.numbers(0), texts, numbers, metrics };
  }

  private column(role: ColumnRole, number: number, width: number, strings: number, start: number, end: number): void {
    const { bytes, n } = this;
    if (!isWidth(role, width))
      throw invalid(`column ${number} has a width of ${width}`, 'docs/wire-format.md has all.');
    if (strings > MAX_DICTIONARY_ENTRIES) {
      throw new BatchFault(
        'batch_too_large',
        `column ${number} has ${strings} strings`,
        `Send at most ${MAX_DICTIONARY_ENTRIES} strings per dictionary.`,
      );
    }
    let values = start + 2 * strings;
    const stringsStart = values;
    for (let length = start; length < stringsStart && values <= end; length += 2) values += bytes.readUInt16LE(length);
    if (values + width * n !== end) throw invalid(`column ${number} has another length than its parts`, CUT_OFF);
    if (role.kind === 'text') {
      if (this.texts[role.index] !== undefined) throw twice(number);
      this.texts[role.index] = this.text(role.index, role.known, width, strings, start, values);
    } else if (role.kind === 'metric') this.metric(strings, stringsStart, values);
    else if (strings > 0) throw invalid(`column ${number} has strings`, 'Only columns with a dictionary may.');
    else if (role.kind === 'number') {
      if (this.numbers[role.index] !== undefined) throw twice(number);
      const column = this.buffers.numbers(n);
      readNumbers(bytes, values, width, column);
      this.numbers[role.index] = column;
    } else {
      if (this.at !== null) throw twice(number);
      this.at = this.buffers.numbers(n);
      readDeltas(bytes, values, width, this.at);
    }
  }

  private text(
    index: number,
    known: InternTable<string>,
    width: number,
    count: number,
    lengths: number,
    valuesAt: number,
  ): TextColumn {
    const { bytes } = this;
    const { edition } = known;
    this.strings += count;
    if (this.strings > this.limits.strings) throw TOO_COSTLY;
    const strings = new Array<string>(count).fill('');
    const numbers = new Array<number>(count).fill(-1);
    let numbered = true;
    let invalidStrings: Set<number> | null = null;
    let from = lengths + 2 * count;
    for (let place = 0; place < count; place++) {
      const to = from + bytes.readUInt16LE(lengths + 2 * place);
      const hash = hashOf(bytes, from, to);
      let number = known.find(bytes, from, to, hash);
      if (number >= 0) strings[place] = known.value(number);
      else {
        if (++this.unknownStrings > this.limits.unknownStrings) throw TOO_COSTLY;
        const text = readString(index, bytes, from, to);
        if (text === null) {
          invalidStrings ??= new Set();
          invalidStrings.add(place);
        } else {
          strings[place] = text;
          number = known.add(bytes, from, to, hash, text);
        }
      }
      numbers[place] = number;
      if (number < 0) numbered = false;
      from = to;
    }
    const codes = this.buffers.codes(this.n);
    readCodes(bytes, valuesAt, width, codes);
    // An invalid string harms only the rows that refer to it.
    if (invalidStrings !== null) {
      for (let row = 0; row < codes.length; row++) if (invalidStrings.has(codes[row] as number)) codes[row] = NO_INDEX;
    }
    // Numbers of an earlier edition can't be compared with the rest.
    return { strings, numbers: numbered && known.edition === edition ? { edition, of: numbers } : undefined, codes };
  }

  private metric(strings: number, nameStart: number, values: number): void {
    const { bytes, n, metrics } = this;
    const name = bytes.toString('utf8', nameStart, values);
    if (strings !== 1 || !isMetricName(name)) {
      throw invalid('a metric has no name of a Server-Timing metric', 'Metric names are HTTP tokens.');
    }
    if (metrics.some(([other]) => other === name)) throw twice(METRIC_COLUMN);
    if (metrics.length >= MAX_METRICS) {
      throw new BatchFault(
        'batch_too_large',
        `the batch has more than ${MAX_METRICS} metrics`,
        `Send at most ${MAX_METRICS} metrics per batch.`,
      );
    }
    metrics.push([name, Float64Array.from({ length: n }, (_, row) => bytes.readDoubleLE(values + METRIC_WIDTH * row))]);
  }
}

function isWidth({ kind }: ColumnRole, width: number): boolean {
  if (kind === 'metric') return width === METRIC_WIDTH;
  return width >= (kind === 'at' ? 1 : 0) && width <= (kind === 'text' ? MAX_CODE_WIDTH : MAX_WIDTH);
}

function twice(number: number): BatchFault {
  return invalid(`column ${number} occurs twice`, 'Send each column once.');
}

/** null if it is invalid. */
function readString(index: number, bytes: Buffer, from: number, to: number): string | null {
  if (to - from > MAX_STRING_BYTES) return null;
  const name = TEXT_NAMES[index] as (typeof TEXT_NAMES)[number];
  const text = bytes.toString('utf8', from, to);
  return DICTIONARY_RULES[name].read(name === 'unknown' ? reasonsOf(text) : text);
}

function reasonsOf(text: string): unknown {
  const parts = text === '' ? 0 : text.split(' ').length;
  const reasons = parseReasons(text);
  return Object.keys(reasons).length === parts ? reasons : null;
}
