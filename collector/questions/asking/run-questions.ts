import type {
  CompareDocument,
  HistogramDocument,
  PagesDocument,
  ReportDocument,
  TimelineDocument,
} from '../../analysis/documents/answers.ts';
import { stepThresholds } from '../../analysis/probes/step-thresholds.ts';
import { currentSettings } from '../../storage/current-settings.ts';
import { type JsonBytes, joinJson, writeJson } from '../../storage/json-bytes.ts';
import { written } from '../computations.ts';
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
export async function runHistogram(asker: Asker, query: TimeQuery): Promise<JsonBytes<HistogramDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const answered = { ...query, range };
  const { head, rest } = await asker.store.samples.read(written('histogram'), { ...answered, ...rule }, asker);
  return joinJson(writeJson({ method: method(answered, head) }), rest);
}

export async function runTimeline(asker: Asker, query: TimelineQuery): Promise<JsonBytes<TimelineDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const { zone = null } = query;
  const stepMs = query.stepMs ?? usualStep(range);
  checkSteps(range, stepMs);
  const answered = { ...query, range, stepMs, zone };
  const { head, rest } = await asker.store.samples.read(written('timeline'), { ...answered, ...rule }, asker);
  return joinJson(writeJson({ method: method(answered, head) }), rest);
}

export async function runCompare(asker: Asker, query: CompareQuery): Promise<JsonBytes<CompareDocument>> {
  const { by, time } = query;
  const { range, rule, method } = await prepare(asker, query.after.range);
  const earlier = await keptBefore(asker, query.before.range, query.after.range, range);
  const [before, after] = [
    { ...query.before, range: earlier },
    { ...query.after, range },
  ];
  const question = { before, after, by, time, ...rule, seed: SEED };
  const { head, rest } = await asker.store.samples.read(written('compare'), question, asker);
  const { from, to, filters, dataHash } = method(before, { ...head, dataHash: head.beforeHash });
  const front = { method: method({ ...after, by }, head), before: { from, to, filters, dataHash } };
  return joinJson(writeJson(front), rest);
}

export async function runPages(
  asker: Asker,
  query: ReturnType<typeof parsePagesQuery>,
): Promise<JsonBytes<PagesDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const question = { ...query, range, ...rule };
  const { head, rest } = await asker.store.samples.read(written('pages'), question, asker);
  return joinJson(writeJson({ method: method({ ...query, range, by: ['host', 'template', 'type'] }, head) }), rest);
}

export async function runView(
  asker: Asker,
  query: ReturnType<typeof parseViewQuery>,
): Promise<JsonBytes<ReportDocument>> {
  const { range, rule, method } = await prepare(asker, query.range);
  const { settings } = await currentSettings(asker.store.settings);
  const { language = 'en' } = asker;
  const question = { ...query, range, ...rule, thresholds: stepThresholds(settings.probes), language };
  const { head, rest } = await asker.store.samples.read(written('view'), question, asker);
  return joinJson(writeJson({ method: method({ ...query, range }, head) }), rest);
}
