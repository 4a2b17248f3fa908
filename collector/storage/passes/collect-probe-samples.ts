import type { StoredSample } from '../../../shared/sample/sample.ts';
import { type ColumnNames, copyRows } from '../columns/select-rows.ts';
import { lazySamples } from './lazy-samples.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

/**
 * Samples of some sources, which must be few, with only the named columns: reading any other throws. Complete once the
 * pass has run.
 */
export function collectProbeSamples(
  pass: RangePass,
  groups: QueryGroups,
  isWanted: (source: string) => boolean,
  columns: ColumnNames,
): readonly StoredSample[] {
  const all: StoredSample[] = [];
  pass.rows((part) => {
    const { strings, codes } = part.columns.text('source');
    const wanted = strings.map(isWanted);
    if (!wanted.includes(true) || !groups.hasRows(part)) return;
    const inside = groups.groupsOfRows(part);
    const rows: number[] = [];
    for (let row = 0; row < inside.length; row++) {
      if ((inside[row] as number) >= 0 && wanted[codes[row] as number] === true) rows.push(row);
    }
    const read = lazySamples(copyRows(part.columns, Int32Array.from(rows), columns));
    for (let row = 0; row < rows.length; row++) all.push(read(row));
  });
  return all;
}
