import { NULL, type SampleColumns, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { groupRows, pickCodes, type RowGroups } from '../../reductions/combine-codes.ts';
import { type BufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { CELL_DIMENSIONS, type CellDimension } from './cell-dimensions.ts';

/** The cell of every row, and the catalog's number of each cell. */
export interface RowCells extends RowGroups {
  readonly ids: readonly number[];
}

/** Groups rows into cells, the finest groups of a rollup. @param pool for intermediate columns */
export function toRowCells(columns: SampleColumns, catalog: CellCatalog, pool = FRESH_BUFFERS): RowCells {
  const columnsByDimension = CELL_DIMENSIONS.map((name) =>
    name === 'site' ? sitesOf(columns, pool) : columns.text(name),
  );
  const groups = groupRows(
    columns.n,
    columnsByDimension.map(({ codes, strings }) => ({ codes, size: strings.length })),
    pool.codes('cell of row', columns.n),
  );
  const stringIds = columnsByDimension.map(({ strings }, index) =>
    stringIdsOf(CELL_DIMENSIONS[index] as CellDimension, strings, catalog),
  );
  const ids = groups.first.map((row) =>
    catalog.cellOf(columnsByDimension.map(({ codes }, index) => stringIds[index]?.(codes[row] as number) ?? 0)),
  );
  return { ...groups, ids };
}

/**
 * Looks each string up once, not once per cell, and only if a cell has it: the catalog numbers strings permanently, and a
 * batch may bring thousands that no row uses.
 */
function stringIdsOf(kind: CellDimension, entries: readonly string[], catalog: CellCatalog): (code: number) => number {
  const ids = new Int32Array(entries.length).fill(NULL);
  return (code) => {
    const text = entries[code] ?? '';
    if (text === '') return 0;
    if (ids[code] === NULL) ids[code] = catalog.stringId(kind, text);
    return ids[code] as number;
  };
}

/** Sites as a text column; a browser without one has the empty string. */
function sitesOf({ n, origins, origin }: SampleColumns, pool: BufferPool): TextColumn {
  const indices = new Map<string, number>();
  const sites = origins.map(({ site }) => {
    const index = indices.get(site) ?? indices.size;
    indices.set(site, index);
    return index;
  });
  return { strings: [...indices.keys()], codes: pickCodes(sites, origin(), pool.codes('site of row', n)) };
}
