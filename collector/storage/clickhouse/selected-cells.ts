import { type Filters, splitFilterName } from '../../../shared/vocabulary/dimensions.ts';
import { LOAD_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import { isOfSamples } from '../passes/cell-groups.ts';
import type { CellSelection } from '../passes/cell-selection.ts';
import { CELL_DIMENSIONS, type CellDimension } from '../rollups/cell-dimensions.ts';
import type { Bound } from './open-clickhouse.ts';

/** Cells that rollups have: empty for no value. */
export const ofRollup = (name: CellDimension): string => `\`${name}\``;
/** The same of a sample. */
export const ofSample = (name: CellDimension): string => `ifNull(sample.\`${name}\`, '')`;

/** The dimensions that tell the cells of a selection apart, in stored order. */
export function toDimensions({ dimensions }: Pick<CellSelection, 'dimensions'>): readonly CellDimension[] {
  const parts = (name: string) => (name === 'scenario' ? ['scheme', 'connection'] : [name]);
  const named = new Set(dimensions.flatMap(parts));
  if (dimensions.some(isOfSamples)) throw new RangeError('No rollup knows templates.');
  return CELL_DIMENSIONS.filter((name) => named.has(name));
}

/** Each after a comma, to follow other columns. */
export function joinNames(dimensions: readonly CellDimension[]): string {
  return dimensions.map((name) => `, ${ofRollup(name)}`).join('');
}

/** The same columns from a sample. */
export function fromSample(dimensions: readonly CellDimension[]): string {
  return dimensions.map((name) => `, ${ofSample(name)} AS ${ofRollup(name)}`).join('');
}

/** Whether a cell, or a sample, is selected. Filters by scenario are left to the reader. */
export function isSelected({ filters, imported }: CellSelection, of: (name: CellDimension) => string): Bound {
  const params: Record<string, readonly string[]> = {};
  const tests = filters
    .flatMap((own) => Object.entries(own) as [keyof Filters, readonly string[] | undefined][])
    .flatMap(([filter, values], index) => {
      const { dimension, excludes } = splitFilterName(filter);
      if (values === undefined || dimension === 'scenario') return [];
      // No value is stored as an empty one, which no filter names.
      params[`filter${index}`] = values.filter((value) => value !== '');
      return [`${of(dimension as CellDimension)} ${excludes ? 'NOT IN' : 'IN'} {filter${index}:Array(String)}`];
    });
  const source = of('source');
  const live = imported ? [] : [`${source} NOT IN ('har', '${LOAD_SOURCE}') AND NOT startsWith(${source}, 'har-')`];
  return { sql: [...tests, ...live].join(' AND ') || '1', params };
}
