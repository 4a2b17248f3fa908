import { seriesCount } from './metric-family.ts';
import type { CellSeries } from './sample-families.ts';

/** Series that are told at most; the rest is counted. */
const MAX_SERIES = 20_000;
/** Of these, kept for the collector's own health. */
const HEALTH_SERIES = 500;

export interface LimitedCells {
  readonly cells: readonly CellSeries[];
  /** Groups there was no room for. */
  readonly full: number;
}

/** The groups with most samples, as many as there is room for. */
export function limitCells(all: readonly CellSeries[], maxSeries = MAX_SERIES): LimitedCells {
  const cells: CellSeries[] = [];
  let room = maxSeries - HEALTH_SERIES;
  let full = 0;
  for (const cell of [...all].sort((a, b) => b.samples - a.samples)) {
    const needed = [...cell.counts, ...cell.times].reduce((sum, series) => sum + seriesCount(series), 0);
    if (needed > room) {
      full++;
      continue;
    }
    room -= needed;
    cells.push(cell);
  }
  return { cells, full };
}
