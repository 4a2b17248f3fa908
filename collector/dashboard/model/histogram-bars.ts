import type { Peak } from '../../../shared/statistics/peaks.ts';
import { CONNECTIONS } from '../../../shared/vocabulary/vocabulary.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { HistogramCell } from '../../questions/histogram.ts';
import { formatMs, formatShare } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';

const words = HOST.distribution;

/** One segment of a stacked histogram on a log axis. */
export interface HistogramBar {
  readonly connection: string;
  readonly from: number;
  readonly to: number;
  /** Stacked count below this segment, and including it. */
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

export interface HistogramBars {
  readonly bars: readonly HistogramBar[];
  /** Classes that occur, in the vocabulary's order. */
  readonly connections: readonly string[];
  readonly low: number;
  readonly high: number;
  readonly highest: number;
}

/** Stacks the histograms of connection classes, which have the same edges, without hidden ones. Null if empty. */
export function histogramBars(
  cells: readonly HistogramCell[],
  hidden: ReadonlySet<string> = new Set(),
): HistogramBars | null {
  const known = CONNECTIONS.flatMap((connection) =>
    cells.filter((cell) => cell.connection === connection && !hidden.has(connection)),
  );
  const tops = new Map<number, number>();
  const bars: HistogramBar[] = [];
  for (const { connection, bins } of known) {
    for (const { from, to, count } of bins) {
      if (count === 0) continue;
      const low = tops.get(from) ?? 0;
      tops.set(from, low + count);
      bars.push({ connection: connection ?? '', from, to, low, high: low + count, count });
    }
  }
  if (bars.length === 0) return null;
  return {
    bars,
    connections: known.map(({ connection }) => connection ?? ''),
    low: Math.min(...bars.map(({ from }) => from)),
    high: Math.max(...bars.map(({ to }) => to)),
    highest: Math.max(...tops.values()),
  };
}

export interface NamedPeak {
  readonly at: number;
  /** The bins around it, ms. */
  readonly from: number;
  readonly to: number;
  readonly share: number;
  /** `72 ms · reused connection`; without a class if none dominates around the peak. */
  readonly name: string;
}

/** Share of the requests around a peak from which its class is named. */
const NAMED_FROM = 0.6;
/** Range around a peak in which its requests are counted: half an octave each way. */
const AROUND = Math.SQRT2;

export function namePeaks(peaks: readonly Peak[], { bars }: HistogramBars): readonly NamedPeak[] {
  return peaks.map(({ at, share }) => {
    const near = bars.filter(({ from, to }) => to > at / AROUND && from < at * AROUND);
    const total = near.reduce((sum, { count }) => sum + count, 0);
    const counts = new Map<string, number>();
    for (const { connection, count } of near) counts.set(connection, (counts.get(connection) ?? 0) + count);
    const [most = '', count = 0] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
    const named = count / total >= NAMED_FROM ? ` · ${wordFor(t.connections, most)}` : '';
    const from = Math.min(at, ...near.map((bar) => bar.from));
    const to = Math.max(at, ...near.map((bar) => bar.to));
    return { at, from, to, share, name: `${formatMs(at)} ms${named}` };
  });
}

export function describePeaks(peaks: readonly NamedPeak[] | null): string {
  if (peaks === null) return words.peaksLater;
  if (peaks.length === 0) return words.noPeak;
  if (peaks.length === 1) return words.onePeak(peaks[0]?.name ?? '');
  return words.peaks(peaks.length, peaks.map(({ name, share }) => `${name} (${formatShare(share)})`).join(', '));
}
