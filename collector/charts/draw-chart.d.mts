import type { Language } from '../analysis/text/language.ts';
import type { ChartSpec } from './chart-spec.ts';

export interface ChartLook {
  readonly width: number;
  readonly language: Language;
  /** Prefix of the ids inside, unique in the file. */
  readonly id: string;
  /** Accessible name. */
  readonly label: string;
}

export interface DrawnChart {
  /** One `<svg>` with plain colours and no style sheet. */
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

export type DrawChart = (chart: ChartSpec, look: ChartLook) => DrawnChart;
export const drawChart: DrawChart;
