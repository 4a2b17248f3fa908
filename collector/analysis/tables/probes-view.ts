import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { sharesAbove } from '../../../shared/statistics/shares-above.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { isProbe, SCRIPT_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import { probeOutcome } from '../../reductions/probe-outcome.ts';
import { type StepThresholds, thresholdKey } from '../probes/step-thresholds.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { column, type TableColumn, type TableDocument, type ViewDocument } from './table-document.ts';

const DAY_MS = 86_400_000;

export interface ProbesOptions {
  /** A step without a threshold is shown without one. */
  readonly thresholds: StepThresholds;
  /** Length of one step of the trend, ms. */
  readonly trendStepMs?: number;
}

/** One step of one probe at one site. */
interface Step {
  readonly site: string | null;
  readonly target: string;
  readonly probe: string;
  readonly scheme: Scheme;
  readonly host: string;
  readonly template: string;
  readonly runs: readonly StoredSample[];
}

/** Probes from near the users: availability of each step, its time, whether that is within its threshold, and its trend. */
export function probesView(
  samples: readonly StoredSample[],
  options: ProbesOptions,
  texts: TableTexts = ENGLISH_TABLES,
): ViewDocument {
  const probes = samples.filter((sample) => isProbe(sample.source) && toEvidenceClass(sample) !== 'warmup');
  const steps = stepsOf(probes, () => '');
  const step = options.trendStepMs ?? DAY_MS;
  const trend = stepsOf(probes, ({ at }) => String(Math.floor(at / step) * step).padStart(15, '0'));
  return {
    view: 'probes',
    title: texts.views.probes,
    tables: [stepsTable(steps, options, texts), trendTable(trend, step, texts), failuresTable(steps, texts)],
    notes: [texts.notes.probes],
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

function stepColumns({ place, target, probe, address, step }: TableTexts['columns']): TableColumn[] {
  return [
    column('site', place, 'text'),
    column('target', target, 'text'),
    column('probe', probe, 'text'),
    column('address', address, 'text'),
    column('template', step, 'text'),
  ];
}

function stepsTable(
  steps: readonly Step[],
  { thresholds }: ProbesOptions,
  { titles, columns, notes, thresholdsDiffer }: TableTexts,
): TableDocument {
  return {
    title: titles.steps,
    columns: [
      ...stepColumns(columns),
      column('runs', columns.runs, 'count'),
      column('availability', columns.available, 'share'),
      column('discarded', columns.discarded, 'count'),
      column('median', columns.median, 'ms'),
      column('p95', columns.p95, 'ms'),
      column('max', columns.max, 'ms'),
      column('threshold', columns.threshold, 'ms'),
      column('within', columns.withinThreshold, 'share'),
      column('keepMeasuring', columns.keepMeasuring, 'text'),
    ],
    rows: steps.map((step) => {
      const times = timesOf(step);
      const statistics = timeStatistics(times, null);
      const threshold = thresholdOf(step, thresholds);
      const above = typeof threshold === 'number' ? sharesAbove(times, [threshold * 1000])?.[0] : undefined;
      return {
        ...nameOf(step),
        ...countsOf(step),
        median: statistics?.median ?? null,
        p95: statistics?.p95 ?? null,
        max: statistics?.max ?? null,
        // In its row, because the others are judged.
        threshold: threshold === null ? thresholdsDiffer : (threshold ?? null),
        within: above ? 1 - above.share : null,
        keepMeasuring: statistics?.keepMeasuring.join(', ') ?? '',
      };
    }),
    notes: [notes.available, notes.threshold],
  };
}

/** Only steps of scripts have one; a probe of scenarios has none, whatever it requests. null if those of its steps differ. */
function thresholdOf(step: Step, thresholds: StepThresholds): number | null | undefined {
  const key = thresholdKey(step);
  return step.probe === SCRIPT_SOURCE && Object.hasOwn(thresholds, key) ? thresholds[key] : undefined;
}

function trendTable(steps: readonly Step[], stepMs: number, { titles, columns }: TableTexts): TableDocument {
  return {
    title: titles.trend,
    columns: [
      ...stepColumns(columns),
      column('from', columns.epoch(columns.from), 'number'),
      column('runs', columns.runs, 'count'),
      column('availability', columns.available, 'share'),
      column('median', columns.median, 'ms'),
    ],
    rows: steps.map((step) => {
      const { runs, availability } = countsOf(step);
      const from = Math.floor((step.runs[0]?.at ?? 0) / stepMs) * stepMs;
      return { ...nameOf(step), from, runs, availability, median: timeStatistics(timesOf(step), null)?.median ?? null };
    }),
    notes: [],
  };
}

function failuresTable(steps: readonly Step[], { titles, columns }: TableTexts): TableDocument {
  return {
    title: titles.lastFailures,
    columns: [
      ...stepColumns(columns),
      column('at', columns.epoch(columns.at), 'number'),
      column('reason', columns.reason, 'text'),
    ],
    rows: steps.flatMap((step) => {
      const last = step.runs.filter(isDown).sort((a, b) => b.at - a.at)[0];
      if (last === undefined) return [];
      const { at, error, status } = last;
      return [{ ...nameOf(step), at, reason: error ?? (status === null ? 'failed' : `status ${status}`) }];
    }),
    notes: [],
  };
}

function countsOf({ runs }: Step): { runs: number; availability: number | null; discarded: number } {
  const up = runs.filter((run) => probeOutcome(toEvidenceClass(run)) === 'up').length;
  const down = runs.filter(isDown).length;
  return {
    runs: runs.length,
    availability: up + down === 0 ? null : up / (up + down),
    discarded: runs.length - up - down,
  };
}

function isDown(run: StoredSample): boolean {
  return probeOutcome(toEvidenceClass(run)) === 'down';
}

function timesOf({ runs }: Step) {
  const times = runs.filter((run) => toEvidenceClass(run) === 'usable').map(({ times: { ttlb } }) => ttlb);
  return exactDistribution(times.filter((time) => time !== null));
}

function nameOf({ site, target, probe, scheme, host, template }: Step) {
  return { site, target, probe, address: `${scheme}://${host}`, template };
}
