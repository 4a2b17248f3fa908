import { hiddenCells } from './hidden-cells.ts';

/** What was counted of samples, browsers or runs that share some words. */
export interface CountedCell {
  /** One of each dimension. */
  readonly words: readonly (string | null)[];
  readonly samples: number;
  /** Those that count, distinct. */
  readonly browsers: number;
}

/**
 * Which cells may not be part of any number: see `hiddenCells`. Cells with the same words are judged as one.
 * @param together distinct browsers of several cells
 */
export function judgeCells(
  cells: readonly CountedCell[],
  together: (cells: Iterable<number>) => number,
  below: number,
  checkpoint: () => void,
): boolean[] {
  if (cells.length === 0) return [];
  const dimensions = (cells[0]?.words ?? []).map((_, place) => {
    const known = new Map<string | null, number>();
    const codes = Int32Array.from(cells, ({ words }) => {
      const word = words[place] ?? null;
      const code = known.get(word) ?? known.size;
      known.set(word, code);
      return code;
    });
    return { codes, size: known.size };
  });
  const samples = Float64Array.from(cells, (cell) => cell.samples);
  const browsers = Int32Array.from(cells, (cell) => cell.browsers);
  return hiddenCells({ dimensions, samples, browsers, together }, below, checkpoint);
}
