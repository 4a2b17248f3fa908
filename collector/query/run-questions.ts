import { stepThresholds } from '../../shared/probe/step-thresholds.ts';
import type {
  CompareDocument,
  HistogramDocument,
  PagesDocument,
  ReportDocument,
  TimelineDocument,
} from '../../shared/summary/answers.ts';
import { currentSettings } from '../store/current-settings.ts';
import { type Asker, prepare } from './asker.ts';
import type { CompareQuery, parsePagesQuery, parseViewQuery, TimelineQuery, TimeQuery } from './parse-questions.ts';
import { stepBounds } from './step-bounds.ts';

/** Seeds the draws of a comparison, so that it can be made again. */
const SEED = 1;

/** Throws a StoreError, as all of these. */
export async function runHistogram(asker: Asker, query: TimeQuery): Promise<HistogramDocument> {
  const { rule, method } = await prepare(asker, query.range);
  const { cells, ...answer } = await asker.store.samples.compute('histogram', { ...query, ...rule }, asker);
  return { method: method(query, answer), cells };
}

export async function runTimeline(asker: Asker, query: TimelineQuery): Promise<TimelineDocument> {
  const { rule, method } = await prepare(asker, query.range);
  const { stepMs, zone = null, ...asked } = query;
  const question = { ...asked, bounds: stepBounds(query.range, stepMs, zone), ...rule };
  const { cells, steps, ...answer } = await asker.store.samples.compute('timeline', question, asker);
  return {
    method: method(query, answer),
    steps: steps.map((at) => new Date(at).toISOString()),
    stepSeconds: query.stepMs / 1000,
    cells,
  };
}

export async function runCompare(asker: Asker, { before, after, by, time }: CompareQuery): Promise<CompareDocument> {
  const { rule, method } = await prepare(asker, after.range);
  const question = { before, after, by, time, ...rule, seed: SEED };
  const answer = await asker.store.samples.compute('compare', question, asker);
  const { from, to, filters, dataHash } = method(before, { ...answer, dataHash: answer.beforeHash });
  return {
    method: method({ ...after, by }, answer),
    before: { from, to, filters, dataHash },
    cells: answer.cells,
    leftOut: answer.leftOut,
  };
}

export async function runPages(asker: Asker, query: ReturnType<typeof parsePagesQuery>): Promise<PagesDocument> {
  const { rule, method } = await prepare(asker, query.range);
  const question = { ...query, ...rule };
  const { cells, leftOut, ...answer } = await asker.store.samples.compute('pages', question, asker);
  return { method: method({ ...query, by: ['host', 'template', 'type'] }, answer), cells, leftOut };
}

export async function runView(asker: Asker, query: ReturnType<typeof parseViewQuery>): Promise<ReportDocument> {
  const { rule, method } = await prepare(asker, query.range);
  const { settings } = await currentSettings(asker.store.settings);
  const question = { ...query, ...rule, thresholds: stepThresholds(settings.probes) };
  const { view, ...answer } = await asker.store.samples.compute('view', question, asker);
  return { method: method(query, answer), view };
}
