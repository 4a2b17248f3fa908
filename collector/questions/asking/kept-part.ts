import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { MAX_STEPS, stepsIn } from '../../analysis/time/step-bounds.ts';
import type { RequestOptions, Store } from '../../storage/store.ts';
import { reading } from '../computations.ts';
import { type QueryCode, QueryError } from './query-error.ts';

const DAY_MS = 24 * 3_600_000;
/** Five years: no more days than a timeline may have steps. */
const MAX_UNCUT_MS = 5 * 366 * DAY_MS;

interface Asking extends RequestOptions {
  readonly store: Store;
}

/**
 * The part of a range that is answered: the range itself, but one of more than five years is cut to what is kept, since
 * every day of it would be computed. Where none of it is kept, its last five years. The one place that decides it.
 */
export async function keptPart({ store, signal, token }: Asking, range: TimeRange): Promise<TimeRange> {
  const { from, to } = range;
  if (to - from <= MAX_UNCUT_MS) return range;
  const kept = await store.samples.read(reading('kept'), {}, { signal, token });
  if (kept === null || kept.to <= from || kept.from >= to) return { ...range, from: to - MAX_UNCUT_MS };
  return { ...range, from: Math.max(from, kept.from), to: range.open ? to : Math.min(to, kept.to) };
}

/**
 * What a range is compared with, cut in the same way. A period right before the asked range goes on being right before
 * what was left of it.
 */
export async function keptBefore(
  asker: Asking,
  before: TimeRange,
  asked: TimeRange,
  { from, to }: TimeRange,
): Promise<TimeRange> {
  const moved = from !== asked.from && before.to === asked.from;
  return moved ? { from: from - (to - from), to: from } : keptPart(asker, before);
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
