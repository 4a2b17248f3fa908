import { type EvidenceClass, toEvidenceClass } from '../../../shared/sample/evidence.ts';
import { NULL, parseReasons, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { Connection, Exclusion } from '../../../shared/vocabulary/vocabulary.ts';
import { isElsewhere, isUndivided } from '../../reductions/set-up.ts';
import type { BufferPool } from '../columns/buffer-pool.ts';

/** No value. Unlike NULL it cannot be mistaken for a difference. */
const NONE = Number.NaN;

// Loops over rows are top-level functions: closures created per set of columns would be compiled for each of them.

/** The known times of these rows, NONE for all others. @param flags excludes rows whose flag is not `flag` */
export function readTimes(
  source: Float64Array,
  rows: Int32Array,
  flags: Uint8Array | null,
  flag: 0 | 1,
  into: Float64Array,
): Float64Array {
  into.fill(NONE);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const value = source[row] as number;
    if (value !== NULL && (flags === null || flags[row] === flag)) into[row] = value;
  }
  return into;
}

/** In place: subtracts the other where it is known. */
export function takeKnown(values: Float64Array, less: Float64Array, rows: Int32Array): Float64Array {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const part = less[row] as number;
    if (!Number.isNaN(part)) values[row] = (values[row] as number) - part;
  }
  return values;
}

/** In place: subtracts the other; NONE where it is unknown. */
export function takeAll(values: Float64Array, less: Float64Array, rows: Int32Array): Float64Array {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    values[row] = (values[row] as number) - (less[row] as number);
  }
  return values;
}

/** In place: NONE where the other has no value. */
export function keepWhere(values: Float64Array, other: Float64Array, rows: Int32Array): Float64Array {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (Number.isNaN(other[row])) values[row] = NONE;
  }
  return values;
}

/** Flags the rows that have this code. */
export function flagsWith(codes: Int32Array, code: number): Uint8Array {
  const flags = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) flags[row] = codes[row] === code ? 1 : 0;
  return flags;
}

/** Flags the rows with either flag. */
export function either(one: Uint8Array, other: Uint8Array): Uint8Array {
  const flags = Uint8Array.from(one);
  for (let row = 0; row < flags.length; row++) if (other[row] === 1) flags[row] = 1;
  return flags;
}

/** Rows with both flags. */
export function rowsWhere(one: Uint8Array, other: Uint8Array | null): Int32Array {
  const rows = new Int32Array(one.length);
  let found = 0;
  for (let row = 0; row < one.length; row++) {
    if (one[row] === 1 && (other === null || other[row] === 1)) rows[found++] = row;
  }
  return rows.subarray(0, found);
}

/** Flags rows by a predicate that is evaluated once per dictionary string. */
export function where(
  columns: SampleColumns,
  name: Parameters<SampleColumns['text']>[0],
  is: (string: string | null) => boolean,
): Uint8Array {
  const { strings, codes } = columns.text(name);
  const flags = Uint8Array.from([null, ...strings], (string) => (is(string) ? 1 : 0));
  const found = new Uint8Array(codes.length);
  // A plain loop: a callback per row would take most of a rollup's time.
  for (let row = 0; row < codes.length; row++) found[row] = flags[(codes[row] as number) + 1] as number;
  return found;
}

export function classifyRows(
  columns: SampleColumns,
  pool: BufferPool,
): { codes: Int32Array; entries: EvidenceClass[] } {
  const connection = columns.text('connection');
  const excluded = columns.text('excluded');
  const entries: EvidenceClass[] = [];
  const width = excluded.strings.length + 1;
  const table = new Int32Array((connection.strings.length + 1) * width).fill(-1);
  const codes = pool.codes('evidence of row', columns.n);
  for (let row = 0; row < columns.n; row++) {
    const left = connection.codes[row] as number;
    const right = excluded.codes[row] as number;
    const key = (left + 1) * width + right + 1;
    if (table[key] === -1) {
      const name = toEvidenceClass({
        connection: connection.strings[left] as Connection,
        excluded: (excluded.strings[right] ?? null) as Exclusion | null,
      });
      const known = entries.indexOf(name);
      table[key] = known >= 0 ? known : entries.push(name) - 1;
    }
    codes[row] = table[key] as number;
  }
  return { codes, entries };
}

/** Set-up times of new connections, as `findSetUp` computes them sample by sample. */
export function setUps(columns: SampleColumns, newRows: Int32Array, pool: BufferPool): Float64Array {
  const { strings, codes } = columns.text('unknown');
  const reasons = strings.map(parseReasons);
  const phases = (['dns', 'tcp', 'tls'] as const).map((phase) => ({
    times: columns.number(phase),
    elsewhere: reasons.map((unknown) => isElsewhere(unknown[phase])),
  }));
  const undivided = reasons.map((unknown) => isUndivided({ unknown }));
  const others = (['blocked', 'wait', 'receive'] as const).map((phase) => columns.number(phase));
  const ttlb = columns.number('ttlb');
  const values = pool.numbers('setup of row', columns.n).fill(NONE);
  for (let i = 0; i < newRows.length; i++) {
    const row = newRows[i] as number;
    if (undivided[codes[row] as number]) {
      if (ttlb[row] !== NULL && others.every((times) => times[row] !== NULL)) {
        const left = others.reduce((rest, times) => rest - (times[row] as number), ttlb[row] as number);
        if (left >= 0) values[row] = left;
      }
      continue;
    }
    let sum = 0;
    let known = 0;
    for (const { times, elsewhere } of phases) {
      const time = times[row] as number;
      if (time !== NULL) {
        sum += time;
        known++;
      } else if (!elsewhere[codes[row] as number]) {
        known = -1;
        break;
      }
    }
    if (known > 0) values[row] = sum;
  }
  return values;
}

export function ownRoundTrips(
  columns: SampleColumns,
  newRows: Int32Array,
  http3: Uint8Array,
  pool: BufferPool,
): Float64Array {
  const tcp = columns.number('tcp');
  const tls = columns.number('tls');
  const secure = where(columns, 'scheme', (string) => string === 'https');
  const values = pool.numbers('round trip of row', columns.n).fill(NONE);
  for (let i = 0; i < newRows.length; i++) {
    const row = newRows[i] as number;
    const time = tcp[row] as number;
    // A handshake without duration was a preconnected socket, or 0-RTT.
    const none = http3[row] === 1 || time <= 0 || (secure[row] === 1 && (tls[row] as number) <= 0);
    if (!none) values[row] = time;
  }
  return values;
}
