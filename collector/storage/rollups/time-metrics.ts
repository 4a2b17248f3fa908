import type { EvidenceClass } from '../../../shared/sample/evidence.ts';
import type { NumberName, SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';
import { once } from '../../lib/once.ts';
import { FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import {
  classifyRows,
  either,
  flagsWith,
  keepWhere,
  ownRoundTrips,
  readTimes,
  rowsWhere,
  setUps,
  takeAll,
  takeKnown,
  where,
} from './metric-columns.ts';

/**
 * The distributions that rollups keep, with their permanent stored numbers. Others follow from these: `wait` overall is
 * `wait` and `waitWhole`; set-up per request is `setup` and a 0 for each usable reused request; except on new
 * connections, `ttlb` without set-up is `ttlb`.
 */
export const TIME_METRICS = {
  blocked: 2,
  /** dns, tcp and tls of new connections only. */
  dns: 3,
  tcp: 4,
  tls: 5,
  /** Waits from which a round trip can be subtracted. */
  wait: 6,
  /** Waits from which it can't: HTTP/3, Early Hints. */
  waitWhole: 7,
  receive: 8,
  ttfb: 9,
  ttlb: 10,
  /** dns + tcp + tls of new connections. */
  setup: 11,
  /** On new connections. */
  ttlbWithoutSetup: 12,
  /** `wait` − `tcp` of new connections. */
  serverShare: 13,
  /** The `tcp` of those that have a server share. */
  roundTrip: 14,
} as const;
export type TimeMetric = keyof typeof TIME_METRICS;
export const TIME_METRIC_NAMES = Object.keys(TIME_METRICS) as TimeMetric[];

/** The metrics of the two blocks of counters. */
export const COUNTS = 0;
export const CLIENTS = 1;

export interface RowMetrics {
  /** The rows that can have a value of this metric, ascending: few for the metrics of new connections. */
  rows(metric: TimeMetric): Int32Array;
  /** One value per row, whole µs; NaN for none. */
  values(metric: TimeMetric): Float64Array;
  /** The network round trip of a new connection, whether or not it can be subtracted from the wait. */
  ownTrips(): Float64Array;
  /** 1 per usable row. */
  usable(): Uint8Array;
  /** The evidence class of every row. */
  evidence(): { codes: Int32Array; entries: readonly EvidenceClass[] };
}

/**
 * The rules of `analysis/summary` by column; the conformance suite keeps the two equal.
 *
 * @param pool for results: values from a reused pool are valid until the next ones are requested
 */
export function rowMetrics(columns: SampleColumns, pool = FRESH_BUFFERS): RowMetrics {
  const { n } = columns;
  const isNew = once(() => where(columns, 'connection', (word) => word === 'new'));
  const http3 = once(() => where(columns, 'protocol', (word) => isHttp3(word ?? '')));
  const evidence = once(() => classifyRows(columns, pool));
  const usable = once(() => flagsWith(evidence().codes, evidence().entries.indexOf('usable')));
  const usableRows = once(() => rowsWhere(usable(), null));
  const newRows = once(() => rowsWhere(usable(), isNew()));
  const setup = once(() => setUps(columns, newRows(), pool));
  const roundTrip = once(() => ownRoundTrips(columns, newRows(), http3(), pool));
  const whole = once(() =>
    either(
      http3(),
      where(columns, 'responseMark', (word) => word === 'final_response_headers'),
    ),
  );
  const shares = once(() => {
    const waits = readTimes(columns.number('wait'), newRows(), whole(), 0, pool.numbers('server share of row', n));
    return takeAll(waits, roundTrip(), newRows());
  });

  const ofRow = () => pool.numbers('metric of row', n);
  const times = (name: NumberName, rows: Int32Array, flags: Uint8Array | null = null, flag: 0 | 1 = 1) =>
    readTimes(columns.number(name), rows, flags, flag, ofRow());

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
        // An unknown set-up counts as 0 in the gap, and is counted.
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

/** Metrics that only new connections have. */
const OF_NEW: ReadonlySet<TimeMetric> = new Set<TimeMetric>([
  'dns',
  'tcp',
  'tls',
  'setup',
  'ttlbWithoutSetup',
  'serverShare',
  'roundTrip',
]);
