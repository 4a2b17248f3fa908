import { evidenceClassOf } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { isProbe, SCRIPT_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import { type StepThresholds, thresholdKey } from '../probes/step-thresholds.ts';
import { column, type TableColumn, type TableDocument, type ViewDocument } from './table-document.ts';

const DAY_MS = 86_400_000;

export interface ProbesOptions {
  /** A step without one is only shown. */
  readonly thresholds: StepThresholds;
  /** Length of one step of the trend, ms. */
  readonly trendStepMs?: number;
}

/** One step of one probe at one place. */
interface Step {
  readonly site: string | null;
  readonly target: string;
  readonly probe: string;
  readonly scheme: Scheme;
  readonly host: string;
  readonly template: string;
  readonly runs: readonly StoredSample[];
}

/** Probes from close to the user: could the step be done, how long did it take, is that within its limit, does it change. */
export function probesView(samples: readonly StoredSample[], options: ProbesOptions): ViewDocument {
  const probes = samples.filter((sample) => isProbe(sample.source) && evidenceClassOf(sample) !== 'warmup');
  const steps = stepsOf(probes, () => '');
  const step = options.trendStepMs ?? DAY_MS;
  const trend = stepsOf(probes, ({ at }) => String(Math.floor(at / step) * step).padStart(15, '0'));
  return {
    view: 'probes',
    title: 'Probes: availability and the time of each step, by place',
    tables: [stepsTable(steps, options), trendTable(trend, step), failuresTable(steps)],
    notes: ['Warm-up runs are left out. Runs that did not prove their scenario count as discarded, not as failures.'],
  };
}

function stepsOf(samples: readonly StoredSample[], cut: (sample: StoredSample) => string): Step[] {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const { target, source, scheme, host, template, origin } = sample;
    const id = JSON.stringify([origin.site, target, source, scheme, host, template, cut(sample)]);
    const group = groups.get(id);
    if (group) group.push(sample);
    else groups.set(id, [sample]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, runs]) => {
      const [{ target, source, scheme, host, template, origin }] = runs as [StoredSample];
      return { site: origin.site || null, target, probe: source, scheme, host, template, runs };
    });
}

const STEP_COLUMNS: readonly TableColumn[] = [
  column('site', 'Place', 'text'),
  column('target', 'Target', 'text'),
  column('probe', 'Probe', 'text'),
  column('address', 'Address', 'text'),
  column('template', 'Step', 'text'),
];

function stepsTable(steps: readonly Step[], { thresholds }: ProbesOptions): TableDocument {
  return {
    title: 'Steps',
    columns: [
      ...STEP_COLUMNS,
      column('runs', 'Runs', 'count'),
      column('availability', 'Available', 'share'),
      column('discarded', 'Discarded', 'count'),
      column('median', 'Median', 'ms'),
      column('p95', '95th percentile', 'ms'),
      column('max', 'Max', 'ms'),
      column('threshold', 'Threshold', 'ms'),
      column('within', 'Within the threshold', 'share'),
      column('keepMeasuring', 'Keep measuring', 'text'),
    ],
    rows: steps.map((step) => {
      const times = timesOf(step);
      const statistics = timeStatistics(times, null);
      const threshold = thresholdOf(step, thresholds);
      const above = threshold === null ? undefined : sharesAbove(times, [threshold * 1000])?.[0];
      return {
        ...nameOf(step),
        ...countsOf(step),
        median: statistics?.median ?? null,
        p95: statistics?.p95 ?? null,
        max: statistics?.max ?? null,
        threshold,
        within: above ? 1 - above.share : null,
        keepMeasuring: statistics?.keepMeasuring.join(', ') ?? '',
      };
    }),
    notes: [
      'Available: runs answered with 2xx or 3xx, of those that were answered or failed.',
      'Threshold: that of the step of a script with this address. Steps that differ in port, query or method alone share a row, and a threshold only if it is the same.',
    ],
  };
}

/** Of the steps of scripts alone: a probe of scenarios has none, whatever it asks for. */
function thresholdOf(step: Step, thresholds: StepThresholds): number | null {
  const key = thresholdKey(step);
  return step.probe === SCRIPT_SOURCE && Object.hasOwn(thresholds, key) ? (thresholds[key] ?? null) : null;
}

function trendTable(steps: readonly Step[], stepMs: number): TableDocument {
  return {
    title: 'Trend',
    columns: [
      ...STEP_COLUMNS,
      column('from', 'From, epoch milliseconds', 'number'),
      column('runs', 'Runs', 'count'),
      column('availability', 'Available', 'share'),
      column('median', 'Median', 'ms'),
    ],
    rows: steps.map((step) => {
      const { runs, availability } = countsOf(step);
      const from = Math.floor((step.runs[0]?.at ?? 0) / stepMs) * stepMs;
      return { ...nameOf(step), from, runs, availability, median: timeStatistics(timesOf(step), null)?.median ?? null };
    }),
    notes: [],
  };
}

function failuresTable(steps: readonly Step[]): TableDocument {
  return {
    title: 'Last failures',
    columns: [...STEP_COLUMNS, column('at', 'At, epoch milliseconds', 'number'), column('reason', 'Reason', 'text')],
    rows: steps.flatMap((step) => {
      const last = step.runs.filter(isDown).sort((a, b) => b.at - a.at)[0];
      return last ? [{ ...nameOf(step), at: last.at, reason: reasonOf(last) }] : [];
    }),
    notes: [],
  };
}

function countsOf({ runs }: Step): { runs: number; availability: number | null; discarded: number } {
  const up = runs.filter((run) => evidenceClassOf(run) === 'usable').length;
  const down = runs.filter(isDown).length;
  return {
    runs: runs.length,
    availability: up + down === 0 ? null : up / (up + down),
    discarded: runs.length - up - down,
  };
}

/** The target did not do its part; anything else that is left out is the probe's own trouble. */
function isDown(run: StoredSample): boolean {
  const evidence = evidenceClassOf(run);
  return evidence === 'failed' || evidence === 'status';
}

function reasonOf({ error, status }: StoredSample): string {
  return error ?? (status === null ? 'failed' : `status ${status}`);
}

function timesOf({ runs }: Step) {
  const times = runs.filter((run) => evidenceClassOf(run) === 'usable').map(({ times: { ttlb } }) => ttlb);
  return exactDistribution(times.filter((time) => time !== null));
}

function nameOf({ site, target, probe, scheme, host, template }: Step) {
  return { site, target, probe, address: `${scheme}://${host}`, template };
}
