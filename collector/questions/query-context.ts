import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { AnyDimension, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Exclusion } from '../../shared/vocabulary/vocabulary.ts';
import { WIRE_VERSION } from '../../shared/wire/wire-batch.ts';
import type { FoldedCells, SummaryMethod } from '../analysis/summary/summary-document.ts';
import { foldedText } from '../analysis/text/folded-text.ts';
import { MAX_STEPS, stepsIn } from '../analysis/time/step-bounds.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { answeredRange } from '../storage/passes/plan-range.ts';
import type { QuarantinedChunk, RequestOptions, Store } from '../storage/store.ts';
import { type QueryCode, QueryError } from './query-string.ts';
import { KEPT, SEES_EVERYTHING, type Viewer, viewerRuleFor } from './viewer-rule.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const DAY_MS = 24 * 3_600_000;
/** Five years: no more days than a timeline may have steps. */
const MAX_UNCUT_MS = 5 * 366 * DAY_MS;

/** Where a question is asked, and for whom. A command reads its own files and sees everything. */
export interface QueryContext extends RequestOptions {
  readonly store: Store;
  /** Lastbyte's own. */
  readonly version: string;
  readonly viewer?: Viewer;
  /** Epoch ms: an open range ends when its answer is ready; without a clock, when it was asked. */
  readonly clock?: () => number;
}

/** What an answer's method says it is about. */
export interface Asked {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by?: readonly AnyDimension[];
}

/** How an answer came about, as far as the store knows it. */
export interface ComputeMethod {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  readonly dataHash: string;
  /** null where nothing had to be folded. */
  readonly folded: FoldedCells | null;
}

/** What every question needs besides its own parameters. */
export interface Prepared {
  /** The part of the range that is answered. */
  readonly range: TimeRange;
  readonly rule: ViewerRule;
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
  /** Throws a StoreError if what is stored is no settings document. */
  settings(): Promise<Settings>;
  /** The range that this one is compared with, cut alike. */
  keptBefore(before: TimeRange): Promise<TimeRange>;
  method(asked: Asked, computed: ComputeMethod): SummaryMethod;
}

/** Settings are read once. Throws a StoreError. */
export async function prepare(context: QueryContext, whole: TimeRange): Promise<Prepared> {
  const { store, version, viewer = SEES_EVERYTHING, clock } = context;
  const range = await keptPart(context, whole);
  const stored = await store.settings.read();
  const settings = async () => (await currentSettings({ read: async () => stored })).settings;
  const rule = await viewerRuleFor(store, viewer, range, context, settings);
  const quarantine = await store.maintenance.quarantine();
  const rulesOf = ({ from, to }: TimeRange, folded: FoldedCells | null) => [
    ...RULES,
    ...quarantineRule(quarantine.filter((chunk) => chunk.to >= from && chunk.from < to)),
    ...(folded === null ? [] : [`${foldedText(folded)}.`]),
  ];
  return {
    range,
    rule,
    nameBrowsers: viewer.role === 'admin',
    settings,
    keptBefore: (before) => keptBefore(context, before, whole, range),
    method: (asked, { exact, bound, dataHash, folded }) => ({
      from: isoOf(asked.range.from),
      to: isoOf(endOf(asked.range, clock)),
      ...(range === whole ? {} : { asked: { from: isoOf(whole.from), to: isoOf(whole.to) } }),
      by: asked.by ?? [],
      filters: asked.filters,
      rules: rulesOf(asked.range, folded),
      versions: { lastbyte: version, wire: WIRE_VERSION, settings: stored?.revision ?? 0 },
      exact,
      bound,
      dataHash,
      ...(folded === null ? {} : { folded }),
    }),
  };
}

export function isoOf(at: number): string {
  return new Date(at).toISOString();
}

/** An answer that was ready only in the next hour has nothing of that hour. */
function endOf(range: TimeRange, clock: QueryContext['clock']): number {
  return range.open && clock ? Math.min(clock(), answeredRange(range).to) : range.to;
}

/**
 * The part of a range that is answered: the range itself, except that more than five years are cut to what is kept, since
 * every day would be computed. Where none of it is kept, its last five years. Decided here alone.
 */
export async function keptPart(
  { store, signal, token }: Pick<QueryContext, 'store' | 'signal' | 'token'>,
  range: TimeRange,
): Promise<TimeRange> {
  const { from, to } = range;
  if (to - from <= MAX_UNCUT_MS) return range;
  const kept = await store.samples.read(KEPT, {}, { signal, token });
  if (kept === null || kept.to <= from || kept.from >= to) return { ...range, from: to - MAX_UNCUT_MS };
  return { ...range, from: Math.max(from, kept.from), to: range.open ? to : Math.min(to, kept.to) };
}

/** A period right before the asked range stays right before what was left of it; any other is cut in the same way. */
export async function keptBefore(
  context: Pick<QueryContext, 'store' | 'signal' | 'token'>,
  before: TimeRange,
  asked: TimeRange,
  { from, to }: TimeRange,
): Promise<TimeRange> {
  const moved = from !== asked.from && before.to === asked.from;
  return moved ? { from: from - (to - from), to: from } : keptPart(context, before);
}

/** Every step is computed and answered by itself. Throws a QueryError where there are too many. */
export function checkSteps(range: TimeRange, stepMs: number, code: QueryCode = 'invalid_range'): void {
  const steps = stepsIn(range, stepMs);
  if (steps <= MAX_STEPS) return;
  const length = stepMs === DAY_MS ? 'days' : 'steps';
  throw new QueryError(
    code,
    `the range has ${steps} ${length}`,
    `At most ${MAX_STEPS}: use a ${length === 'days' ? '' : 'longer step, or a '}shorter range.`,
  );
}

/** Only some of them may lie in the range: which ones can't be read. */
function quarantineRule(chunks: readonly QuarantinedChunk[]): string[] {
  const samples = chunks.reduce((sum, chunk) => sum + chunk.samples, 0);
  return samples === 0 ? [] : [`${samples} samples of about this time can't be read and are in quarantine.`];
}

/** Every exclusion in words; the type makes sure that a new one is not forgotten. */
const EXCLUSION_RULES: Readonly<Record<Exclusion, string>> = {
  failed: 'Requests that failed are counted as failed and stay out of times.',
  invalid: 'Entries whose stamps are out of order, negative or missing are counted as invalid, never corrected.',
  worker: 'Answers of a service worker are counted as worker and stay out of times.',
  status: 'Answers other than 2xx and 3xx are counted as status and stay out of times.',
  redirect: 'Redirects are counted as redirect and stay out of times.',
  challenge: 'Requests for which the browser had to sign in first are counted as challenge and stay out of times.',
  warmup: 'Warm-up requests of probes are counted as warmup and stay out of times.',
  hidden: 'Requests of hidden tabs are counted as hidden and stay out of times.',
  bfcache: 'Pages back from the back/forward cache are counted as bfcache and stay out of times.',
  prerender: 'Prerendered pages are counted as prerender and stay out of times.',
  rule: 'What an exclusion rule of the settings names is counted as rule and stays out of times.',
  unproven: 'Runs of probes that do not prove their scenario are counted as unproven and stay out of times.',
};

/** What `method.rules` says of every answer. */
const RULES: readonly string[] = [
  ...Object.values(EXCLUSION_RULES),
  'Answers from the browser cache and opaque cross-origin entries are counted and stay out of times.',
  'Unknown times are null with a reason, never 0.',
  'dns, tcp and tls are statistics of new connections only, unless called per request.',
  'Quantiles are sorted values at index ⌊q(n−1)⌋, never interpolated.',
];
