import type { TimeStatistics } from '../../analysis/summary/summary-document.ts';
import { formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const texts = t.overview.pair;

/** Median and average, or the reason why they are unknown. */
export type Pair = KnownPair | UnknownPair;

interface KnownPair {
  readonly known: true;
  readonly median: number;
  readonly mean: number;
  readonly medianText: string;
  readonly meanText: string;
  /** There are not yet enough data for a reliable median. */
  readonly keepMeasuring: boolean;
  /** n, the interval and all caveats in one line. */
  readonly note: string;
}

interface UnknownPair {
  readonly known: false;
  readonly reason: string;
}

/** Texts are lazy: thousands of rows are sorted, and only the drawn ones need them. */
export function toPair(statistics: TimeStatistics | null, reason: () => string): Pair {
  if (statistics === null) {
    return {
      known: false,
      get reason() {
        return reason();
      },
    };
  }
  const { median, mean, belowClockStep, keepMeasuring } = statistics;
  return {
    known: true,
    median,
    mean,
    get medianText() {
      return belowClockStep && median !== 0 ? texts.belowStep : formatMs(median);
    },
    get meanText() {
      return formatMs(mean);
    },
    keepMeasuring: keepMeasuring.length > 0,
    get note() {
      return noteOf(statistics);
    },
  };
}

function noteOf(statistics: TimeStatistics): string {
  const parts = [texts.samples(statistics.n)];
  if (statistics.medianInterval !== null) {
    const [low, high] = statistics.medianInterval;
    parts.push(texts.interval(formatMs(low), formatMs(high)));
  }
  if (statistics.belowClockStep) parts.push(texts.belowClockStep);
  if (statistics.variesWidely) parts.push(texts.variesWidely);
  if (statistics.keepMeasuring.length > 0) {
    parts.push(texts.keepMeasuring(statistics.keepMeasuring.map((word) => t.keepMeasuringReasons[word])));
  }
  return parts.join(' · ');
}
