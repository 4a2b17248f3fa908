import { NULL, parseReasons, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { HIDDEN_STATUS, NEW_ONLY } from '../../reductions/cell-aggregate.ts';
import { combineCodes, groupRows, pickCodes, type RowGroups } from '../../reductions/combine-codes.ts';
import { type BufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import type { RowMetrics } from './time-metrics.ts';

/**
 * What is counted per sample. Counters have names, so that new values never change the format: `samples`, `evidence:usable`,
 * `status:200`, `complete`, `setupUnknown`, `clock:100` (µs, usable samples), `unknown:tls:plain_http` (usable samples).
 */
export type CounterName = string;

export interface RowCounters extends RowGroups {
  /** The counters that each row of a group raises by one. */
  readonly names: readonly (readonly CounterName[])[];
}

/** Groups rows that raise the same counters: there are few such groups. @param pool for intermediate columns */
export function countRows(columns: SampleColumns, metrics: RowMetrics, pool = FRESH_BUFFERS): RowCounters {
  const { n } = columns;
  const evidence = metrics.evidence();
  const status = combineCodes(columns.number('status'), pool.codes('status of row', n));
  const unknown = columns.text('unknown');
  const reasons = unknown.strings.map(parseReasons);
  const flags = flagsOf(columns, metrics, pool);
  const clocks = columns.origins.map(({ clockStep }) => clockStep);

  const ofOrigins = combineCodes(clocks);

  const groups = groupRows(
    n,
    [
      { codes: evidence.codes, size: evidence.entries.length },
      { codes: status.codes, size: status.entries.length },
      { codes: unknown.codes, size: unknown.strings.length },
      { codes: flags, size: 4 },
      {
        codes: pickCodes(ofOrigins.codes, columns.origin(), pool.codes('clock of row', n)),
        size: ofOrigins.entries.length,
      },
    ],
    pool.codes('counters of row', n),
  );

  const names = groups.first.map((row) => {
    const evidenceClass = evidence.entries[evidence.codes[row] as number];
    const code = columns.number('status')[row] as number;
    const always = ['samples', `evidence:${evidenceClass}`, `status:${code === NULL ? HIDDEN_STATUS : code}`];
    if (evidenceClass !== 'usable') return always;
    const why = reasons[unknown.codes[row] as number] ?? {};
    const flag = flags[row] as number;
    return [
      ...always,
      `clock:${clocks[columns.origin()[row] as number]}`,
      ...((flag & 1) === 1 ? ['complete'] : []),
      ...((flag & 2) === 2 ? ['setupUnknown'] : []),
      ...TIME_NAMES.filter((name) => why[name] !== undefined).map((name) => `unknown:${name}:${why[name]}`),
    ];
  });
  return { ...groups, names };
}

/** 1: the known phases add up to the whole. 2: the set-up is unknown, or there may not have been one. */
function flagsOf(columns: SampleColumns, metrics: RowMetrics, pool: BufferPool): Int32Array {
  const sums = pool.numbers('sum of phases', columns.n).fill(0);
  const { strings, codes } = columns.text('connection');
  const isNew = strings.indexOf('new');
  const isReused = strings.indexOf('reused');
  for (const phase of PHASES) {
    const times = columns.number(phase);
    const ofAll = !NEW_ONLY.has(phase);
    for (let row = 0; row < columns.n; row++) {
      const time = times[row] as number;
      if (time > 0 && (ofAll || codes[row] === isNew)) sums[row] = (sums[row] as number) + time;
    }
  }
  const ttlb = columns.number('ttlb');
  const usable = metrics.usable();
  const setup = metrics.values('setup');
  const flags = pool.codes('flags of row', columns.n).fill(0);
  for (let row = 0; row < columns.n; row++) {
    if (usable[row] === 0) continue;
    const unknown = codes[row] !== isReused && Number.isNaN(setup[row]);
    flags[row] = (sums[row] === ttlb[row] ? 1 : 0) | (unknown ? 2 : 0);
  }
  return flags;
}
