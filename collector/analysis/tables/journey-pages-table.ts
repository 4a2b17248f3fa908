import type { StoredSample } from '../../../shared/sample/sample.ts';
import { findMedian } from '../findings/like-medians.ts';
import type { JourneyResult } from '../probes/journey-results.ts';
import type { TableTexts } from '../text/english-tables.ts';
import { fillColumns, type TableDocument } from './table-document.ts';

/** One run of a step. */
interface StepRun {
  requests: number;
  connections: number;
  bytes: number;
  /** Of the requests' own times, µs; more than the step took where they overlap. */
  sum: number;
}

interface JourneyStep extends Pick<JourneyResult, 'journey' | 'target' | 'site'> {
  readonly step: number;
  /** The document it loads; null if it stays on its page. */
  page: string | null;
  readonly runs: Map<string, StepRun>;
}

/** What each step of a journey loads: medians per run, and the sum of its requests' times beside the time of the step. */
export function journeyPagesTable(
  samples: readonly StoredSample[],
  journeys: readonly JourneyResult[],
  { titles, columns, notes }: TableTexts,
): TableDocument {
  const steps = [...stepsOf(samples)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step);
  const median = (name: keyof StepRun) => (step: JourneyStep) =>
    findMedian(Float64Array.from(step.runs.values(), (run) => run[name]));
  const sum = median('sum');
  const result = ({ journey, target, site }: JourneyStep) =>
    journeys.find((each) => each.journey === journey && each.target === target && each.site === site);
  return {
    title: titles.journeyPages,
    ...fillColumns(steps, [
      ['site', columns.place, 'text'],
      ['target', columns.target, 'text'],
      ['probe', columns.probe, 'text', ({ journey }) => journey],
      ['step', columns.step, 'count'],
      ['page', columns.page, 'text'],
      ['runs', columns.runs, 'count', ({ runs }) => runs.size],
      ['requests', columns.requests, 'number', median('requests')],
      ['connections', columns.newConnections, 'number', median('connections')],
      ['bytes', columns.bytesFetched, 'bytes', median('bytes')],
      ['time', columns.stepTime, 'ms', (each) => result(each)?.steps[each.step - 1]?.median ?? null],
      ['sum', columns.timeOfAllRequests, 'ms', (each) => sum(each) / 1000],
    ]),
    notes: [notes.journeyPages],
  };
}

function stepsOf(samples: readonly StoredSample[]): Map<string, JourneyStep> {
  const steps = new Map<string, JourneyStep>();
  for (const { journey, step, run, target, type, template, origin, connection, transferSize, times } of samples) {
    // Older extensions sent neither.
    if (journey == null || step == null || run == null) continue;
    const site = origin.site || null;
    const id = JSON.stringify([site, target, journey, String(step).padStart(4, '0')]);
    const own = steps.get(id) ?? { site, target, journey, step, page: null, runs: new Map() };
    steps.set(id, own);
    const runId = `${origin.client} ${run}`;
    const sums = own.runs.get(runId) ?? { requests: 0, connections: 0, bytes: 0, sum: 0 };
    own.runs.set(runId, sums);
    if (type === 'document') own.page ??= template;
    sums.requests++;
    if (connection === 'new') sums.connections++;
    sums.bytes += transferSize ?? 0;
    sums.sum += times.ttlb ?? 0;
  }
  return steps;
}
