import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { isProbe } from '../../../shared/vocabulary/vocabulary.ts';
import { probeOutcome } from '../../reductions/probe-outcome.ts';
import type { JourneyResult } from '../probes/journey-results.ts';
import type { JourneyRules } from '../probes/journey-rules.ts';
import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { journeyPagesTable } from './journey-pages-table.ts';
import { column, type TableColumn, type TableDocument, type ViewDocument } from './table-document.ts';

export interface ProbesOptions {
  /** A step without a threshold is shown without one. */
  readonly thresholds: JourneyRules['thresholds'];
  /** Length of one step of the trend, ms. */
  readonly trendStepMs: number;
  /** How long each step took: one of several requests takes less. */
  readonly journeys: readonly JourneyResult[];
  /** Median of users' own requests by `pathId`, ms, and why there is none for other paths. */
  readonly users: { readonly medians: ReadonlyMap<string, number>; readonly unknown: string };
}

export function pathId({ target, site, host, template }: CellKey): string {
  return JSON.stringify([target, site || null, host, template]);
}

/** One step of one probe at one site. */
interface Step {
  readonly site: string | null;
  readonly target: string;
  /** The journey's id, or the source of a sequence. */
  readonly probe: string;
  /** Number of the step in its journey; null in a sequence, and in journeys of older extensions. */
  readonly step: number | null;
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
  const step = options.trendStepMs;
  const trend = stepsOf(probes, ({ at }) => String(Math.floor(at / step) * step).padStart(15, '0'));
  const loads = journeyPagesTable(probes, options.journeys, texts);
  return {
    view: 'probes',
    title: texts.views.probes,
    tables: [
      stepsTable(steps, options, texts),
      trendTable(trend, step, texts),
      failuresTable(steps, texts),
      ...(loads.rows.length === 0 ? [] : [loads]),
    ],
    notes: [texts.notes.probes],
  };
}

function stepsOf(samples: readonly StoredSample[], cut: (sample: StoredSample) => string): Step[] {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const { site, target, probe, step, scheme, host, template } = stepOf(sample);
    const order = String(step ?? 0).padStart(4, '0');
    const id = JSON.stringify([site, target, probe, order, scheme, host, template, cut(sample)]);
    const group = groups.get(id);
    if (group) group.push(sample);
    else groups.set(id, [sample]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, runs]) => ({ ...stepOf(runs[0] as StoredSample), runs }));
}

function stepOf({ target, source, journey, step, scheme, host, template, origin }: StoredSample): Omit<Step, 'runs'> {
  return { site: origin.site || null, target, probe: journey ?? source, step: step ?? null, scheme, host, template };
}

function stepColumns({ place, target, probe, step, address, page }: TableTexts['columns']): TableColumn[] {
  return [
    column('site', place, 'text'),
    column('target', target, 'text'),
    column('probe', probe, 'text'),
    column('step', step, 'count'),
    column('address', address, 'text'),
    column('template', page, 'text'),
  ];
}

function stepsTable(
  steps: readonly Step[],
  { thresholds, journeys, users }: ProbesOptions,
  { titles, columns, notes }: TableTexts,
): TableDocument {
  const results = new Map(
    journeys.flatMap(({ journey, target, site, steps: own }) =>
      own.map((result, index) => [JSON.stringify([journey, target, site, index + 1]), result] as const),
    ),
  );
  return {
    title: titles.steps,
    columns: [
      ...stepColumns(columns),
      column('runs', columns.runs, 'count'),
      column('availability', columns.available, 'share'),
      column('discarded', columns.discarded, 'count'),
      column('median', columns.median, 'ms'),
      column('users', columns.usersMedian, 'ms'),
      column('reason', columns.usersUnknown, 'text'),
      column('p95', columns.p95, 'ms'),
      column('max', columns.max, 'ms'),
      column('time', columns.stepTime, 'ms'),
      column('threshold', columns.threshold, 'ms'),
      column('within', columns.withinThreshold, 'share'),
      column('keepMeasuring', columns.keepMeasuring, 'text'),
    ],
    rows: steps.map((step) => {
      const statistics = timeStatistics(timesOf(step), null);
      const threshold = thresholds[step.probe]?.[(step.step ?? 0) - 1] ?? null;
      const { probe, target, site } = step;
      const result = results.get(JSON.stringify([probe, target, site, step.step]));
      const median = users.medians.get(pathId(step)) ?? null;
      return {
        ...nameOf(step),
        ...countsOf(step),
        median: statistics?.median ?? null,
        p95: statistics?.p95 ?? null,
        max: statistics?.max ?? null,
        users: median,
        reason: median === null ? users.unknown : '',
        time: result?.median ?? null,
        threshold,
        within: threshold === null || !result?.runs ? null : 1 - result.over / result.runs,
        keepMeasuring: statistics?.keepMeasuring.join(', ') ?? '',
      };
    }),
    notes: [notes.available, notes.threshold, notes.usersOnSteps],
  };
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

function nameOf({ site, target, probe, step, scheme, host, template }: Step) {
  return { site, target, probe, step, address: `${scheme}://${host}`, template };
}
