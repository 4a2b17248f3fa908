import { NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { type Change, MIN_RELATIVE_CHANGE } from '../../../shared/statistics/change.ts';
import type { NotCompared } from '../../../shared/statistics/comparability.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { type CellKey, partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import type { Texts } from './english.ts';

export interface CompareChange extends Change {
  /** Samples of each side that the interval is computed from; larger groups are sampled evenly. */
  readonly drawnFrom: readonly [before: number, after: number];
}

interface Sides {
  readonly before: TimeStatistics | null;
  readonly after: TimeStatistics | null;
  readonly change: CompareChange | null;
  readonly notCompared: NotCompared | null;
}

/** The result of a comparison as one or two sentences. */
export function changeText(key: CellKey, time: string, sides: Sides, texts: Texts, apps = NO_APP_NAMES): string {
  const names = partsOfKey(key).map(({ dimension, value }) =>
    value === null ? texts.noneOf(dimension) : dimension === 'target' ? (apps.get(value) ?? value) : value,
  );
  return `${names.length === 0 ? texts.all : names.join(', ')}, ${time}: ${resultText(sides, texts.change)}`;
}

function resultText({ before, after, change, notCompared }: Sides, words: Texts['change']): string {
  if (before === null && after === null) return `${words.onNeitherSide}.`;
  if (before === null) return `${words.notBefore(after?.median ?? 0)}.`;
  if (after === null) return `${words.notAfter(before.median)}.`;
  const medians = `${words.medians(before.median, after.median)}.`;
  if (change === null) return notCompared === null ? medians : `${medians} ${words.notCompared[notCompared]}`;
  const { difference, interval, changed, because } = change;
  const result = changed ? words.changed(difference) : words.unchanged;
  const why = changed ? null : whyNot(change);
  const numbers = `(${words.interval(difference, interval)})`;
  return [
    medians,
    `${result} ${numbers}${why === null ? '' : `: ${words[why]}`}.`,
    ...(because === null ? [] : [words.because[because]]),
  ].join(' ');
}

/** null where the interval says it. */
function whyNot({ interval, difference, before }: CompareChange) {
  if (interval[0] <= 0 && interval[1] >= 0) return null;
  return Math.abs(difference) < MIN_RELATIVE_CHANGE * Math.abs(before) ? 'tooSmall' : 'belowClockStep';
}
