import type { StoredSample } from '../../../shared/sample/sample.ts';
import { column, type TableDocument } from './table-document.ts';

/** Of one type. */
export interface CacheCount {
  samples: number;
  cached: number;
  bytes: number;
  again: number;
  bytesAgain: number;
}

/** Per type, how much came from the browser's cache and how much went over the network once more. Samples in any order. */
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

export function cacheTableOf(counts: ReadonlyMap<string, CacheCount>): TableDocument {
  return {
    title: 'Cache',
    columns: [
      column('type', 'Type', 'text'),
      column('samples', 'Requests', 'count'),
      column('cacheShare', 'From cache', 'share'),
      column('bytes', 'Bytes fetched', 'bytes'),
      column('again', 'Fetched again', 'count'),
      column('bytesAgain', 'Bytes fetched again', 'bytes'),
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
    notes: [
      'Fetched again: the same browser had asked for that path template before. Templates fold ids, so two orders count as one page: read it for scripts, styles, images and fonts.',
    ],
  };
}
