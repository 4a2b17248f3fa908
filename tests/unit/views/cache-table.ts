import { type CacheCount, toCacheTable } from '../../../collector/analysis/tables/cache-table.ts';
import type { TableDocument } from '../../../collector/analysis/tables/table-document.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';

/** The table sample by sample: what the collector of the cache has to find. Samples in any order. */
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
  return toCacheTable(counts);
}
