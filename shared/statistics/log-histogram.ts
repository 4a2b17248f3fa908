import type { Distribution } from './distribution.ts';

/** Four bins per octave, each 19 % wide: narrow enough to show peaks and wide enough to read. */
export const BINS_PER_OCTAVE = 4;

export interface HistogramBin {
  /** [from, to), in the unit of the values. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * Counts on a logarithmic axis whose edges are the same for all data (…, 2¹⁰, 2¹⁰·²⁵, …), so that histograms can be
 * overlaid. Empty bins between occupied ones are included; values below 1 share the first bin, from 0.
 */
export function logHistogram(distribution: Distribution): HistogramBin[] {
  const counts = new Map<number, number>();
  for (const { from, to, count } of distribution.bins()) {
    const bin = binOf((from + to - 1) / 2);
    counts.set(bin, (counts.get(bin) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const bin = first + i;
    return { from: bin < 0 ? 0 : edge(bin), to: edge(bin + 1), count: counts.get(bin) ?? 0 };
  });
}

function binOf(value: number): number {
  if (value < 1) return -1;
  const bin = Math.floor(Math.log2(value) * BINS_PER_OCTAVE);
  // A logarithm may round across an edge; the edges decide.
  if (value < edge(bin)) return bin - 1;
  return value >= edge(bin + 1) ? bin + 1 : bin;
}

function edge(bin: number): number {
  return 2 ** (bin / BINS_PER_OCTAVE);
}
