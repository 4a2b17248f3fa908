import { NULL, type SampleColumns, type TextColumn } from '../../../shared/sample/sample-columns.ts';
import { scenarioOf } from '../../../shared/sample/scenario.ts';
import type { Dimension } from '../../../shared/vocabulary/dimensions.ts';
import type { Connection, Scheme } from '../../../shared/vocabulary/vocabulary.ts';
import { type BufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';
import type { CellCatalog } from './cell-catalog.ts';
import { groupRows, pickCodes, type RowGroups } from './combine-codes.ts';

/** What tells the cells of a rollup apart, in the order it is stored. A scenario follows from scheme and connection. */
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

/** One cell's words, null where it has none. */
export type CellDimensions = Readonly<Record<CellDimension, string | null>>;

/** The cell of every row, and the catalog's number of each cell. */
export interface RowCells extends RowGroups {
  readonly ids: readonly number[];
}

/** The finest groups a rollup knows: rows that differ in none of its dimensions. @param room for what is needed of rows */
export function cellsOf(columns: SampleColumns, catalog: CellCatalog, room = FRESH_BUFFERS): RowCells {
  const dimensions = CELL_DIMENSIONS.map((name) => (name === 'site' ? sitesOf(columns, room) : columns.text(name)));
  const groups = groupRows(
    columns.n,
    dimensions.map(({ codes, entries }) => ({ codes, size: entries.length })),
    room.codes('cell of row', columns.n),
  );
  const wordIds = dimensions.map(({ entries }, place) =>
    wordIdsOf(CELL_DIMENSIONS[place] as CellDimension, entries, catalog),
  );
  const ids = groups.first.map((row) =>
    catalog.cellOf(dimensions.map(({ codes }, place) => wordIds[place]?.(codes[row] as number) ?? 0)),
  );
  return { ...groups, ids };
}

/**
 * Each word is looked up once, not once for every cell it is in; and only if it is in one: the catalog numbers what it is
 * asked for, for good, and a batch may bring thousands of entries that no row has.
 */
function wordIdsOf(kind: CellDimension, entries: readonly string[], catalog: CellCatalog): (code: number) => number {
  const ids = new Int32Array(entries.length).fill(NULL);
  return (code) => {
    const word = entries[code] ?? '';
    if (word === '') return 0;
    if (ids[code] === NULL) ids[code] = catalog.stringId(kind, word);
    return ids[code] as number;
  };
}

export function dimensionOf(words: CellDimensions, dimension: Dimension): string | null {
  if (dimension !== 'scenario') return words[dimension];
  return scenarioOf({ scheme: words.scheme as Scheme, connection: words.connection as Connection });
}

/** As a text column; the site of a browser that has none is empty. */
function sitesOf({ n, origins, origin }: SampleColumns, room: BufferPool): TextColumn {
  const places = new Map<string, number>();
  const sites = origins.map(({ site }) => {
    const place = places.get(site) ?? places.size;
    places.set(site, place);
    return place;
  });
  return { entries: [...places.keys()], codes: pickCodes(sites, origin(), room.codes('site of row', n)) };
}
