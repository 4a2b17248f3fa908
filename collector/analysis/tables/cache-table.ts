import { ENGLISH_TABLES, type TableTexts } from '../text/english-tables.ts';
import { column, type TableDocument } from './table-document.ts';

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
  return {
    title: titles.cache,
    columns: [
      column('type', columns.type, 'text'),
      column('samples', columns.requests, 'count'),
      column('cacheShare', columns.fromCache, 'share'),
      column('bytes', columns.bytesFetched, 'bytes'),
      column('again', columns.fetchedAgain, 'count'),
      column('bytesAgain', columns.bytesFetchedAgain, 'bytes'),
    ],
    rows: [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, { samples: n, cached, bytes, again, bytesAgain }]) => ({
        type,
        samples: n,
        cacheShare: cached / n,
        bytes,
        again,
        bytesAgain,
      })),
    notes: [notes.fetchedAgain],
  };
}
