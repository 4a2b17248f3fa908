import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { fillColumns, type TableDocument } from './table-document.ts';

/** Per type. */
export interface CacheCount {
  samples: number;
  cached: number;
  bytes: number;
  again: number;
  bytesAgain: number;
}

/** Per type, how much came from the browser's cache and how much was fetched again. */
export function toCacheTable(
  counts: ReadonlyMap<string, CacheCount>,
  { titles, columns, notes }: TableTexts = ENGLISH_TABLES,
): TableDocument {
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([type, count]) => ({ type, ...count }));
  return {
    title: titles.cache,
    ...fillColumns(rows, [
      ['type', columns.type, 'text'],
      ['samples', columns.requests, 'count'],
      ['cacheShare', columns.fromCache, 'share', ({ cached, samples }) => cached / samples],
      ['bytes', columns.bytesFetched, 'bytes'],
      ['again', columns.fetchedAgain, 'count'],
      ['bytesAgain', columns.bytesFetchedAgain, 'bytes'],
    ]),
    notes: [notes.fetchedAgain],
  };
}
