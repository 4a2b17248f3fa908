import { type EvidenceClass, evidenceClassOf } from '../../../shared/classify/evidence.ts';
import { parseReasons } from '../../../shared/sample/reasons-text.ts';
import { NULL, type NumberName, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { Connection, Exclusion } from '../../../shared/sample/vocabulary.ts';
import { isElsewhere } from '../../../shared/summary/set-up.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { type ColumnRoom, NEW_ROOM } from '../chunk/column-room.ts';
import { once } from '../chunk/once.ts';

/**
 * The distributions a rollup keeps, with the number each is stored under for ever. Others follow from these: `wait` in
 * all is `wait` and `waitWhole`; set-up per request is `setup` and a 0 for each usable reused request; without its set-up
 * the `ttlb` of anything but a new connection is the `ttlb`.
 */
export const MEASURES = {
  blocked: 2,
  /** dns, tcp and tls of new connections only. */
  dns: 3,
  tcp: 4,
  tls: 5,
  /** Waits that a round trip can be taken from. */
  wait: 6,
  /** Waits it can't be taken from: HTTP/3, Early Hints. */
  waitWhole: 7,
  receive: 8,
  ttfb: 9,
  ttlb: 10,
  /** dns + tcp + tls of new connections. */
  setup: 11,
  /** Of new connections. */
  ttlbWithoutSetup: 12,
  /** `wait` − `tcp` of new connections. */
  serverShare: 13,
  /** The `tcp` of those that have a server share. */
  roundTrip: 14,
} as const;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** Stored beside them, in packs of counters. */
export const COUNTS = 0;
export const CLIENTS = 1;

/** No row, no value: unlike NULL it can't be taken for a difference. */
const NONE = Number.NaN;

export interface RowMeasures {
  /** The only rows that can have a value of this measure, ascending: few, for those of new connections. */
  rows(measure: Measure): Int32Array;
  /** One value per row, NaN where the row has none. Whole µs. */
  values(measure: Measure): Float64Array;
  /** The network round trip of a new connection, whether or not a wait can be divided by it. */
  ownTrips(): Float64Array;
  /** Per row 1 if it is usable. */
  usable(): Uint8Array;
  /** One class for each of `evidenceCodes`. */
  evidence(): { codes: Int32Array; entries: readonly EvidenceClass[] };
}

/**
 * The rules of `shared/summary`, a column at a time; the conformance suite holds the two together.
 *
 * @param room where what is computed is written; from one that is used again, values hold until the next are asked for
 */
export function measureRows(columns: SampleColumns, room = NEW_ROOM): RowMeasures {
  const { n } = columns;
  const isNew = once(() => where(columns, 'connection', (word) => word === 'new'));
  const http3 = once(() => where(columns, 'protocol', (word) => isHttp3(word ?? '')));
  const evidence = once(() => evidenceOf(columns, room));
  const usable = once(() => {
    const { codes, entries } = evidence();
    const usableCode = entries.indexOf('usable');
    const flags = new Uint8Array(n);
    for (let row = 0; row < n; row++) flags[row] = codes[row] === usableCode ? 1 : 0;
    return flags;
  });
  const usableRows = once(() => rowsWhere(usable(), null));
  const newRows = once(() => rowsWhere(usable(), isNew()));
  const setup = once(() => setUps(columns, newRows(), room));
  const roundTrip = once(() => ownRoundTrips(columns, newRows(), http3(), room));
  const whole = once(() => {
    const hinted = where(columns, 'responseMark', (word) => word === 'final_response_headers');
    const flags = Uint8Array.from(http3());
    for (let row = 0; row < n; row++) if (hinted[row] === 1) flags[row] = 1;
    return flags;
  });

  /** @param flags leaves out rows whose flag is not `flag` */
  function times(
    name: NumberName,
    rows: Int32Array,
    flags: Uint8Array | null = null,
    flag = 1,
    into: Float64Array = room.numbers('measure of row', n),
  ): Float64Array {
    const source = columns.number(name);
    const values = into.fill(NONE);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const value = source[row] as number;
      if (value !== NULL && (flags === null || flags[row] === flag)) values[row] = value;
    }
    return values;
  }

  function withoutSetup(): Float64Array {
    const values = times('ttlb', newRows());
    const less = setup();
    for (const row of newRows()) {
      const part = less[row] as number;
      // An unknown set-up counts 0 in the gap, and is counted.
      if (!Number.isNaN(part)) values[row] = (values[row] as number) - part;
    }
    return values;
  }

  const shares = once(() => {
    const values = times('wait', newRows(), whole(), 0, room.numbers('server share of row', n));
    const trips = roundTrip();
    for (const row of newRows()) values[row] = (values[row] as number) - (trips[row] as number);
    return values;
  });

  function dividedTrips(): Float64Array {
    const values = room.numbers('measure of row', n);
    values.set(roundTrip());
    for (const row of newRows()) if (Number.isNaN(shares()[row])) values[row] = NONE;
    return values;
  }

  function values(measure: Measure): Float64Array {
    switch (measure) {
      case 'dns':
      case 'tcp':
      case 'tls':
        return times(measure, newRows());
      case 'wait':
        return times('wait', usableRows(), whole(), 0);
      case 'waitWhole':
        return times('wait', usableRows(), whole(), 1);
      case 'setup':
        return setup();
      case 'ttlbWithoutSetup':
        return withoutSetup();
      case 'serverShare':
        return shares();
      case 'roundTrip':
        return dividedTrips();
      default:
        return times(measure, usableRows());
    }
  }

  return {
    rows: (measure) => (OF_NEW.has(measure) ? newRows() : usableRows()),
    values,
    ownTrips: roundTrip,
    usable,
    evidence,
  };
}

/** Measures that only new connections have. */
const OF_NEW: ReadonlySet<Measure> = new Set<Measure>([
  'dns',
  'tcp',
  'tls',
  'setup',
  'ttlbWithoutSetup',
  'serverShare',
  'roundTrip',
]);

/** Rows with both flags. */
function rowsWhere(one: Uint8Array, other: Uint8Array | null): Int32Array {
  const rows = new Int32Array(one.length);
  let found = 0;
  for (let row = 0; row < one.length; row++) {
    if (one[row] === 1 && (other === null || other[row] === 1)) rows[found++] = row;
  }
  return rows.subarray(0, found);
}

/** A flag per row, from one look at each word. */
function where(
  columns: SampleColumns,
  name: Parameters<SampleColumns['text']>[0],
  is: (word: string | null) => boolean,
): Uint8Array {
  const { entries, codes } = columns.text(name);
  const flags = Uint8Array.from([null, ...entries], (word) => (is(word) ? 1 : 0));
  const found = new Uint8Array(codes.length);
  // A plain loop: a callback per row is what most of a rollup would be spent on.
  for (let row = 0; row < codes.length; row++) found[row] = flags[(codes[row] as number) + 1] as number;
  return found;
}

function evidenceOf(columns: SampleColumns, room: ColumnRoom): { codes: Int32Array; entries: EvidenceClass[] } {
  const connection = columns.text('connection');
  const excluded = columns.text('excluded');
  const entries: EvidenceClass[] = [];
  const width = excluded.entries.length + 1;
  const table = new Int32Array((connection.entries.length + 1) * width).fill(-1);
  const codes = room.codes('evidence of row', columns.n);
  for (let row = 0; row < columns.n; row++) {
    const left = connection.codes[row] as number;
    const right = excluded.codes[row] as number;
    const key = (left + 1) * width + right + 1;
    if (table[key] === -1) {
      const name = evidenceClassOf({
        connection: connection.entries[left] as Connection,
        excluded: (excluded.entries[right] ?? null) as Exclusion | null,
      });
      const known = entries.indexOf(name);
      table[key] = known >= 0 ? known : entries.push(name) - 1;
    }
    codes[row] = table[key] as number;
  }
  return { codes, entries };
}

/** dns + tcp + tls of new connections where all that exist are known. */
function setUps(columns: SampleColumns, newRows: Int32Array, room: ColumnRoom): Float64Array {
  const { entries, codes } = columns.text('unknown');
  const reasons = entries.map(parseReasons);
  const phases = (['dns', 'tcp', 'tls'] as const).map((phase) => ({
    times: columns.number(phase),
    elsewhere: reasons.map((unknown) => isElsewhere(unknown[phase])),
  }));
  const values = room.numbers('setup of row', columns.n).fill(NONE);
  for (const row of newRows) {
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

function ownRoundTrips(columns: SampleColumns, newRows: Int32Array, http3: Uint8Array, room: ColumnRoom): Float64Array {
  const tcp = columns.number('tcp');
  const tls = columns.number('tls');
  const secure = where(columns, 'scheme', (word) => word === 'https');
  const values = room.numbers('round trip of row', columns.n).fill(NONE);
  for (const row of newRows) {
    const time = tcp[row] as number;
    // A handshake that took no time was a socket opened in advance, or 0-RTT.
    const none = http3[row] === 1 || time <= 0 || (secure[row] === 1 && (tls[row] as number) <= 0);
    if (!none) values[row] = time;
  }
  return values;
}
