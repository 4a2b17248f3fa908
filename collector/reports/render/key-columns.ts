import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { isNumeric } from './cell-text.ts';

/** More would leave no room for what they say something about. */
const MAX_KEYS = 4;

/** How many columns in front say what a row is about: they are repeated where a table is cut in parts. */
export function keyColumns({ columns }: TableDocument): number {
  const first = columns.findIndex(isNumeric);
  return Math.min(MAX_KEYS, Math.max(1, first < 0 ? 1 : first));
}
