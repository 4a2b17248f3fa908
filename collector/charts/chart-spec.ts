import type { Gap, SummaryCell } from '../analysis/summary/summary-document.ts';

/** A chart of a report, as data. Times in milliseconds. */
export type ChartSpec =
  | { readonly kind: 'average'; readonly cell: SummaryCell }
  | { readonly kind: 'phases'; readonly cell: SummaryCell }
  | { readonly kind: 'gap'; readonly gap: Gap }
  | { readonly kind: 'connections'; readonly cells: readonly { readonly label: string; readonly cell: SummaryCell }[] }
  | {
      readonly kind: 'trend';
      readonly points: readonly TrendPoint[];
      readonly annotations: readonly ChartAnnotation[];
    }
  | { readonly kind: 'histogram'; readonly lines: readonly HistogramLine[] };

/** What happened at a moment or over a period, as a chart shows it. */
export interface ChartAnnotation {
  /** Epoch ms. */
  readonly at: number;
  /** null for a moment. */
  readonly until: number | null;
  readonly text: string;
}

/** One step of time; null if nothing was measured. */
export interface TrendPoint {
  /** Epoch ms. */
  readonly at: number;
  readonly median: number | null;
  readonly mean: number | null;
}

export interface HistogramLine {
  readonly name: string;
  readonly scenario: string;
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
}
