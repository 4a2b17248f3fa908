import type { EvidenceClass } from '../../../shared/sample/evidence.ts';
import type { NumberName, SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import { once } from '../columns/once.ts';
import {
  either,
  evidenceOf,
  flagsWith,
  keepWhere,
  ownRoundTrips,
  rowsWhere,
  setUps,
  takeAll,
  takeKnown,
  timesOf,
  where,
} from './metric-columns.ts';

/**
 * The distributions a rollup keeps, with the number each is stored under for ever. Others follow from these: `wait` in
 * all is `wait` and `waitWhole`; set-up per request is `setup` and a 0 for each usable reused request; without its set-up
 * the `ttlb` of anything but a new connection is the `ttlb`.
 */
export const TIME_METRICS = {
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
export type TimeMetric = keyof typeof TIME_METRICS;
export const TIME_METRIC_NAMES = Object.keys(TIME_METRICS) as TimeMetric[];

/** Stored beside them, in packs of counters. */
export const COUNTS = 0;
export const CLIENTS = 1;

export interface RowMetrics {
  /** The only rows that can have a value of this measure, ascending: few, for those of new connections. */
  rows(metric: TimeMetric): Int32Array;
  /** One value per row, NaN where the row has none. Whole µs. */
  values(metric: TimeMetric): Float64Array;
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
export function rowMetrics(columns: SampleColumns, room = FRESH_BUFFERS): RowMetrics {
  const { n } = columns;
  const isNew = once(() => where(columns, 'connection', (word) => word === 'new'));
  const http3 = once(() => where(columns, 'protocol', (word) => isHttp3(word ?? '')));
  const evidence = once(() => evidenceOf(columns, room));
  const usable = once(() => flagsWith(evidence().codes, evidence().entries.indexOf('usable')));
  const usableRows = once(() => rowsWhere(usable(), null));
  const newRows = once(() => rowsWhere(usable(), isNew()));
  const setup = once(() => setUps(columns, newRows(), room));
  const roundTrip = once(() => ownRoundTrips(columns, newRows(), http3(), room));
  const whole = once(() =>
    either(
      http3(),
      where(columns, 'responseMark', (word) => word === 'final_response_headers'),
    ),
  );
  const shares = once(() => {
    const waits = timesOf(columns.number('wait'), newRows(), whole(), 0, room.numbers('server share of row', n));
    return takeAll(waits, roundTrip(), newRows());
  });

  const ofRow = () => room.numbers('measure of row', n);
  const times = (name: NumberName, rows: Int32Array, flags: Uint8Array | null = null, flag: 0 | 1 = 1) =>
    timesOf(columns.number(name), rows, flags, flag, ofRow());

  function dividedTrips(): Float64Array {
    const trips = ofRow();
    trips.set(roundTrip());
    return keepWhere(trips, shares(), newRows());
  }

  function values(metric: TimeMetric): Float64Array {
    switch (metric) {
      case 'dns':
      case 'tcp':
      case 'tls':
        return times(metric, newRows());
      case 'wait':
        return times('wait', usableRows(), whole(), 0);
      case 'waitWhole':
        return times('wait', usableRows(), whole(), 1);
      case 'setup':
        return setup();
      case 'ttlbWithoutSetup':
        // An unknown set-up counts 0 in the gap, and is counted.
        return takeKnown(times('ttlb', newRows()), setup(), newRows());
      case 'serverShare':
        return shares();
      case 'roundTrip':
        return dividedTrips();
      default:
        return times(metric, usableRows());
    }
  }

  return {
    rows: (metric) => (OF_NEW.has(metric) ? newRows() : usableRows()),
    values,
    ownTrips: roundTrip,
    usable,
    evidence,
  };
}

/** Measures that only new connections have. */
const OF_NEW: ReadonlySet<TimeMetric> = new Set<TimeMetric>([
  'dns',
  'tcp',
  'tls',
  'setup',
  'ttlbWithoutSetup',
  'serverShare',
  'roundTrip',
]);
