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
import { checkSteps, keptBefore } from './kept-part.ts';
import {
  type CompareQuery,
  type parsePagesQuery,
  type parseViewQuery,
  type TimelineQuery,
  type TimeQuery,
  usualStep,
} from './parse-questions.ts';

/** Seeds the draws of a comparison, so that it can be made again. */
const SEED = 1;

/** Throws a StoreError, as all of these. */
export async function runHistogram(asker: Asker, query: TimeQuery): Promise<HistogramDocument> {
  const { range, rule, method } = await prepare(asker, query.range);
  const answered = { ...query, range };
  const { cells, ...answer } = await asker.store.samples.compute('histogram', { ...answered, ...rule }, asker);
  return { method: method(answered, answer), cells };
}

export async function runTimeline(asker: Asker, query: TimelineQuery): Promise<TimelineDocument> {
  const { range, rule, method } = await prepare(asker, query.range);
  const { zone = null } = query;
  const stepMs = query.stepMs ?? usualStep(range);
  checkSteps(range, stepMs);
  const answered = { ...query, range, stepMs, zone };
  const { cells, steps, ...answer } = await asker.store.samples.compute('timeline', { ...answered, ...rule }, asker);
  return {
    method: method(answered, answer),
    steps: steps.map((at) => new Date(at).toISOString()),
    stepSeconds: stepMs / 1000,
    cells,
  };
}

export async function runCompare(asker: Asker, query: CompareQuery): Promise<CompareDocument> {
  const { by, time } = query;
  const { range, rule, method } = await prepare(asker, query.after.range);
  const earlier = await keptBefore(asker, query.before.range, query.after.range, range);
  const [before, after] = [
    { ...query.before, range: earlier },
    { ...query.after, range },
  ];
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
  const { range, rule, method } = await prepare(asker, query.range);
  const question = { ...query, range, ...rule };
  const { cells, leftOut, ...answer } = await asker.store.samples.compute('pages', question, asker);
  return { method: method({ ...query, range, by: ['host', 'template', 'type'] }, answer), cells, leftOut };
}

export async function runView(asker: Asker, query: ReturnType<typeof parseViewQuery>): Promise<ReportDocument> {
  const { range, rule, method } = await prepare(asker, query.range);
  const { settings } = await currentSettings(asker.store.settings);
  const question = { ...query, range, ...rule, thresholds: stepThresholds(settings.probes) };
  const { view, ...answer } = await asker.store.samples.compute('view', question, asker);
  return { method: method({ ...query, range }, answer), view };
}
