import { NULL } from '../../../shared/sample/sample-columns.ts';
import { PHASES, type Phase } from '../../../shared/vocabulary/time-names.ts';
import {
  NOT_RETRANSMITTED,
  RETRANSMISSIONS,
  SLOW_DIMENSIONS,
  type SlowDimension,
  type SlowGroupRows,
} from '../../reductions/slow-group-rows.ts';
import { dimensionColumn, numbering } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const FIRST_WEEKDAY = 3;
/** A step begins this much early because timers are coarse, and ends a long round trip later. */
const EARLY_US = 20_000;
const ROUND_TRIP_US = 600_000;
const STEPS_US = { tcp_1s: 1_000_000, tcp_3s: 3_000_000, tcp_7s: 7_000_000, dns_5s: 5_000_000 } as const;
const KB = 1024;

/** Of a chunk, the rows that are wanted. */
interface Piece {
  readonly group: Int32Array;
  readonly slow: Uint8Array;
  readonly hour: Int32Array;
  readonly ttlb: Float32Array;
  readonly phases: Readonly<Record<Phase, Float32Array>>;
  readonly codes: Readonly<Record<SlowDimension, Int32Array>>;
}

/**
 * The usable requests of groups, with what they may have in common. Call the result once the pass has run: the rows of each
 * group, in the order of the groups.
 *
 * @param fromOf from which `ttlb` on a request of the group is slow, µs; groups without are left out
 */
export function collectSlowGroup(
  pass: RangePass,
  groups: QueryGroups,
  fromOf: (group: number) => number | null,
): () => (group: number) => SlowGroupRows {
  const words = Object.fromEntries(SLOW_DIMENSIONS.map((name) => [name, numbering()])) as Record<
    SlowDimension,
    ReturnType<typeof numbering>
  >;
  const pieces: Piece[] = [];

  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    const groupOf = groups.groupsOfRows(part);
    const values = part.metrics.values('ttlb');
    const rows: number[] = [];
    for (let row = 0; row < values.length; row++) {
      const group = groupOf[row] as number;
      if (group >= 0 && !Number.isNaN(values[row]) && fromOf(group) !== null) rows.push(row);
    }
    if (rows.length === 0) return;
    const columnOf = wordsOf(part);
    pieces.push({
      group: Int32Array.from(rows, (row) => groupOf[row] as number),
      slow: Uint8Array.from(rows, (row) => ((values[row] as number) >= (fromOf(groupOf[row] as number) ?? 0) ? 1 : 0)),
      hour: Int32Array.from(rows, (row) => Math.floor((part.columns.at()[row] as number) / HOUR_MS)),
      ttlb: Float32Array.from(rows, (row) => (values[row] as number) / 1000),
      phases: Object.fromEntries(PHASES.map((phase) => [phase, timesOf(part, phase, rows)])) as Record<
        Phase,
        Float32Array
      >,
      codes: Object.fromEntries(
        SLOW_DIMENSIONS.map((name) => {
          const wordAt = columnOf(name);
          return [name, Int32Array.from(rows, (row) => words[name].index(wordAt(row)))];
        }),
      ) as Record<SlowDimension, Int32Array>,
    });
  });

  return () => {
    const placesOf = pieces.map(({ group }) => placesByGroup(group));
    return (group) => rowsOf(placesOf.map((places) => places.get(group) ?? []));
  };

  function rowsOf(places: readonly (readonly number[])[]): SlowGroupRows {
    const n = places.reduce((sum, { length }) => sum + length, 0);
    const joined = <A extends Int32Array | Uint8Array | Float32Array>(into: A, of: (piece: Piece) => A): A => {
      let at = 0;
      pieces.forEach((piece, index) => {
        const from = of(piece);
        for (const place of places[index] as readonly number[]) into[at++] = from[place] as number;
      });
      return into;
    };
    const eachDimension = <T>(value: (name: SlowDimension) => T) =>
      Object.fromEntries(SLOW_DIMENSIONS.map((name) => [name, value(name)])) as Record<SlowDimension, T>;
    const codes = eachDimension((name) => joined(new Int32Array(n), (piece) => piece.codes[name]));
    return {
      n,
      slow: joined(new Uint8Array(n), ({ slow }) => slow),
      client: codes.client,
      hour: joined(new Int32Array(n), ({ hour }) => hour),
      ttlb: joined(new Float32Array(n), ({ ttlb }) => ttlb),
      phases: Object.fromEntries(
        PHASES.map((phase) => [phase, joined(new Float32Array(n), ({ phases }) => phases[phase])]),
      ) as Record<Phase, Float32Array>,
      codes,
      values: eachDimension((name) => words[name].strings),
    };
  }
}

function placesByGroup(groups: Int32Array): Map<number, number[]> {
  const places = new Map<number, number[]>();
  groups.forEach((group, at) => {
    const own = places.get(group);
    if (own === undefined) places.set(group, [at]);
    else own.push(at);
  });
  return places;
}

function timesOf({ columns }: RowPart, phase: Phase, rows: readonly number[]): Float32Array {
  const column = columns.number(phase);
  return Float32Array.from(rows, (row) => (column[row] === NULL ? Number.NaN : (column[row] as number) / 1000));
}

/** The word of a row in a dimension; null if it is not reported. */
function wordsOf(part: RowPart): (dimension: SlowDimension) => (row: number) => string | null {
  const { columns } = part;
  const number = (name: 'status' | 'encodedBodySize' | 'tcp' | 'dns') => columns.number(name);
  const hourAt = (row: number) => Math.floor((columns.at()[row] as number) / HOUR_MS);
  return (dimension) => {
    switch (dimension) {
      case 'retransmission': {
        const [tcp, dns] = [number('tcp'), number('dns')];
        const { codes, strings } = columns.text('connection');
        const fresh = strings.indexOf('new');
        return (row) => (codes[row] === fresh ? stepOf(tcp[row] as number, dns[row] as number) : NOT_RETRANSMITTED);
      }
      case 'status': {
        const column = number('status');
        return (row) => ((column[row] as number) <= 0 ? null : String(column[row]));
      }
      case 'size': {
        const column = number('encodedBodySize');
        return (row) => sizeClass(column[row] as number);
      }
      case 'hourOfDay':
        return (row) => String(hourAt(row) % DAY_HOURS);
      case 'hourOfWeek':
        return (row) => String((hourAt(row) + FIRST_WEEKDAY * DAY_HOURS) % WEEK_HOURS);
      default: {
        const { codes, strings } = dimensionColumn(columns, dimension);
        return (row) => strings[codes[row] as number] || null;
      }
    }
  };
}

function stepOf(tcp: number, dns: number): string | null {
  if (tcp === NULL && dns === NULL) return null;
  const found = RETRANSMISSIONS.find((step) => {
    const more = (step === 'dns_5s' ? dns : tcp) - STEPS_US[step];
    return more >= -EARLY_US && more < ROUND_TRIP_US;
  });
  return found ?? NOT_RETRANSMITTED;
}

/** The power of two next to it, 1 KB at least; a body of 0 bytes may be hidden. */
function sizeClass(bytes: number): string | null {
  if (bytes <= 0) return null;
  return String(KB * Math.max(1, 2 ** Math.round(Math.log2(bytes / KB))));
}
