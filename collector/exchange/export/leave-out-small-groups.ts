import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { AnyDimension } from '../../../shared/vocabulary/dimensions.ts';
import { mergeColumns } from '../../storage/columns/merge-columns.ts';
import { groupId } from '../../storage/passes/cell-groups.ts';
import { dimensionColumn } from '../../storage/passes/dimension-column.ts';
import { groupRows } from '../../storage/rollups/combine-codes.ts';

/**
 * What could identify a person: where they sit, what they open, with which browser, and anything that may be constant for one
 * browser, such as the protocol behind an HTTP/1.1 proxy or a probe that runs nowhere else.
 */
export const JUDGED_BY: readonly AnyDimension[] = [
  'target',
  'site',
  'host',
  'template',
  'browser',
  'scheme',
  'protocol',
  'source',
];

/**
 * Keeps the rows of a block whose group, by what a person could be told by, may be shown; null where there are none.
 *
 * @param shown by `groupId` of the telling dimensions
 */
export function keepShown(block: SampleColumns, shown: ReadonlySet<string>): SampleColumns | null {
  const columns = JUDGED_BY.map((dimension) => dimensionColumn(block, dimension));
  const sizes = columns.map(({ codes, strings: words }) => ({ codes, size: words.length }));
  const { codes: groupOf, first } = groupRows(block.n, sizes);
  const keeps = first.map((row) =>
    shown.has(groupId(columns.map(({ codes, strings: words }) => words[codes[row] as number] ?? null))),
  );
  const rows = Int32Array.from(groupOf.keys()).filter((row) => keeps[groupOf[row] as number] === true);
  if (rows.length === block.n) return block;
  return rows.length === 0 ? null : mergeColumns([{ columns: block, rows }]);
}
