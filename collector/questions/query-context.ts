import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { AnyDimension, Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { WIRE_VERSION } from '../../shared/wire/wire-batch.ts';
import type { FoldedCells, SummaryMethod } from '../analysis/summary/summary-document.ts';
import type { Language } from '../analysis/text/language.ts';
import { pickTexts } from '../analysis/text/texts.ts';
import { MAX_STEPS, stepsIn } from '../analysis/time/step-bounds.ts';
import { currentSettings } from '../storage/current-settings.ts';
import { answeredRange } from '../storage/passes/plan-range.ts';
import type { RequestOptions, Store } from '../storage/store.ts';
import { type QueryCode, QueryError } from './query-string.ts';
import { KEPT, type Viewer, viewerRuleFor } from './viewer-rule.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const DAY_MS = 24 * 3_600_000;
/** Five years: as many days as a timeline may have steps. */
const MAX_UNCUT_MS = 5 * 366 * DAY_MS;

/** The store, the viewer and the language of a query. A command reads its own files and sees everything. */
export interface QueryContext extends RequestOptions {
  readonly store: Store;
  /** Lastbyte's own version. */
  readonly version: string;
  readonly viewer: Viewer;
  /** Language of tables and rules; English unless a report asks for another. */
  readonly language?: Language;
  /** Epoch ms. With a clock, an open range ends when its answer is ready; without one, when the request was made. */
  readonly clock?: () => number;
}

/** What an answer's `method` says was requested. */
export interface Asked {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by?: readonly AnyDimension[];
}

/** How an answer was computed, as far as the store knows. */
export interface ComputeMethod {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  readonly dataHash: string;
  /** null if nothing was folded. */
  readonly folded: FoldedCells | null;
}

/** What every question needs besides its own parameters. */
export interface Prepared {
  /** The part of the range that is answered. */
  readonly range: TimeRange;
  readonly rule: ViewerRule;
  readonly language: Language;
  /** Whether individual browsers may be named. */
  readonly nameBrowsers: boolean;
  /** Throws a StoreError if the stored document is not valid settings. */
  settings(): Promise<Settings>;
  /** The part of the comparison range that is kept, shortened like the range itself. */
  keptBefore(before: TimeRange): Promise<TimeRange>;
  method(asked: Asked, computed: ComputeMethod): SummaryMethod;
}

/** Reads the settings once. Throws a StoreError. */
export async function prepare(context: QueryContext, whole: TimeRange): Promise<Prepared> {
  const { store, version, viewer, clock, language = 'en' } = context;
  const { exclusionRules, otherRules, quarantined, folded: foldedText } = pickTexts(language);
  const range = await keptPart(context, whole);
  const stored = await store.settings.read();
  const settings = async () => (await currentSettings({ read: async () => stored })).settings;
  const rule = await viewerRuleFor(store, viewer, range, context, settings);
  const quarantine = await store.maintenance.quarantine();
  /** Some of these samples may lie outside the range; how many is unknown, since they can't be read. */
  const quarantineRule = (from: number, to: number) => {
    const chunks = quarantine.filter((chunk) => chunk.to >= from && chunk.from < to);
    const samples = chunks.reduce((sum, chunk) => sum + chunk.samples, 0);
    return samples === 0 ? [] : [quarantined(samples)];
  };
  const rulesOf = ({ from, to }: TimeRange, folded: FoldedCells | null) => [
    ...Object.values(exclusionRules),
    ...otherRules,
    ...quarantineRule(from, to),
    ...(folded === null ? [] : [`${foldedText(folded)}.`]),
  ];
  return {
    range,
    rule,
    language,
    nameBrowsers: viewer.role === 'admin',
    settings,
    keptBefore: (before) => keptBefore(context, before, whole, range),
    method: (asked, { exact, bound, dataHash, folded }) => ({
      from: toIso(asked.range.from),
      to: toIso(endOf(asked.range, clock)),
      ...(range === whole ? {} : { asked: { from: toIso(whole.from), to: toIso(whole.to) } }),
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

export function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** An answer that is ready only in the next hour includes nothing from that hour. */
function endOf(range: TimeRange, clock: QueryContext['clock']): number {
  return range.open && clock ? Math.min(clock(), answeredRange(range).to) : range.to;
}

/**
 * The part of a range that is answered: all of it, unless it is longer than five years. Since every day is computed, a
 * longer one is cut to what is kept, or to its last five years if none of it is. Decided here alone.
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

/** A period just before the requested range stays just before what is left of it; any other is cut in the same way. */
export async function keptBefore(
  context: Pick<QueryContext, 'store' | 'signal' | 'token'>,
  before: TimeRange,
  asked: TimeRange,
  { from, to }: TimeRange,
): Promise<TimeRange> {
  const moved = from !== asked.from && before.to === asked.from;
  return moved ? { from: from - (to - from), to: from } : keptPart(context, before);
}

/** Every step is computed and returned separately. Throws a QueryError if there are too many. */
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
