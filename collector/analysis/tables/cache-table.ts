import type { StoredSample } from '../../../shared/sample/sample.ts';
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

/** How much of each type came from the browser's cache and how much was fetched again. Samples may be in any order. */
export function cacheTable(samples: readonly StoredSample[]): TableDocument {
  const counts = new Map<string, CacheCount>();
  const seen = new Set<string>();
  for (const sample of [...samples].sort((a, b) => a.at - b.at)) {
    const { type, connection } = sample;
    const count = counts.get(type) ?? { samples: 0, cached: 0, bytes: 0, again: 0, bytesAgain: 0 };
    counts.set(type, count);
    const resource = JSON.stringify([sample.origin.client, sample.scheme, sample.host, sample.template, type]);
    count.samples++;
    if (connection === 'cache') count.cached++;
    else if (connection === 'new' || connection === 'reused') {
      const bytes = sample.transferSize ?? sample.encodedBodySize ?? 0;
      count.bytes += bytes;
      if (seen.has(resource)) {
        count.again++;
        count.bytesAgain += bytes;
      }
    }
    seen.add(resource);
  }
  return cacheTableOf(counts);
}

export function cacheTableOf(
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
