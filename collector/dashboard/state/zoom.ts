import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { isPresetName, type RangeChoice, resolveRange } from './time-range.ts';
import { type ViewState, withOwn } from './view-state.ts';

/** How much longer the range gets where nothing is known to go back to. */
const WIDER = 3;
/** Separates the ends of a range in `?back=`. */
const BETWEEN = '~';

/** The same view of a part of its time; `?back=` remembers the range before the first zoom. */
export function zoomInto(state: ViewState, range: TimeRange): ViewState {
  const back = state.own.back !== undefined && !('preset' in state.range) ? state.own.back : formatRange(state.range);
  return { ...withOwn(state, { back }), range };
}

/** The range before the zoom; null if there was none. */
export function rangeBefore({ own, range }: ViewState): RangeChoice | null {
  if (own.back === undefined || 'preset' in range) return null;
  if (isPresetName(own.back)) return { preset: own.back };
  const [from = Number.NaN, to = Number.NaN] = own.back.split(BETWEEN).map((end) => Date.parse(end));
  return from < to ? { from, to } : null;
}

/** Back to the range before the zoom, else to a longer one around this. */
export function zoomOut(state: ViewState, now: number): ViewState {
  const before = rangeBefore(state);
  if (before !== null) return { ...withOwn(state, { back: '' }), range: before };
  const { from, to } = resolveRange(state.range, now);
  const more = ((to - from) * (WIDER - 1)) / 2;
  const end = Math.max(to, Math.min(to + more, now));
  return { ...withOwn(state, { back: '' }), range: { from: end - (to - from) * WIDER, to: end } };
}

function formatRange(range: RangeChoice): string {
  if ('preset' in range) return range.preset;
  return [range.from, range.to].map((end) => new Date(end).toISOString()).join(BETWEEN);
}
