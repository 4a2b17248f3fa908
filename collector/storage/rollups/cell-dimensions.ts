import { toScenario } from '../../../shared/sample/scenario.ts';
import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import type { Connection, Scheme } from '../../../shared/vocabulary/vocabulary.ts';

/** The dimensions of a rollup's cells, in stored order. A scenario follows from scheme and connection. */
export const CELL_DIMENSIONS = [
  'host',
  'type',
  'connection',
  'protocol',
  'scheme',
  'handshake',
  'source',
  'site',
  'target',
] as const satisfies readonly Dimension[];
export type CellDimension = (typeof CELL_DIMENSIONS)[number];

/** One cell's value in each dimension; null for none. */
export type CellDimensions = Readonly<Record<CellDimension, string | null>>;

export function readDimension(dimensions: CellDimensions, dimension: Dimension): string | null {
  if (dimension !== 'scenario') return dimensions[dimension];
  return toScenario({ scheme: dimensions.scheme as Scheme, connection: dimensions.connection as Connection });
}
