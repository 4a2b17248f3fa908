import { NULL, type SampleColumns } from '../../shared/sample/sample-columns.ts';
import type { CacheCount } from '../analysis/tables/cache-table.ts';
import { dimensionColumn } from '../storage/passes/dimension-column.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { createResourceBook, type ResourceBook } from './resource-book.ts';
import { hashText, mixHash } from './text-hash.ts';

const RESOURCE = ['client', 'scheme', 'host', 'template', 'type'] as const;

/**
 * Cache and refetches by type; the columns' answer to `cacheTable`. Which request of a resource came first does not
 * depend on the order in which chunks are read. What is returned is asked once the pass has run.
 *
 * @param byType groups by type, filters applied, without those that may not be shown
 */
export function countCache(pass: RangePass, byType: QueryGroups): () => ReadonlyMap<string, CacheCount> {
  const counts: CacheCount[] = [];
  const book = createResourceBook();
  pass.rows((part) => {
    if (byType.hasRows(part)) addPart(part, byType.groupsOfRows(part), counts, book);
  });
  return () => {
    const found = new Map<string, CacheCount>();
    counts.forEach((count, group) => {
      const { requests, bytes } = book.firsts(group);
      const { fetched, ...rest } = count as Counting;
      found.set(byType.keys[group]?.type ?? '', {
        ...rest,
        again: fetched - requests,
        bytesAgain: rest.bytes - bytes,
      });
    });
    return found;
  };
}

interface Counting extends CacheCount {
  /** Requests that went over the network. */
  fetched: number;
}

function addPart({ columns }: RowPart, groupOf: Int32Array, counts: CacheCount[], book: ResourceBook): void {
  const { low, high } = resourceHashes(columns);
  const at = columns.at();
  const connection = columns.text('connection');
  const overNetwork = connection.entries.map((word) => word === 'new' || word === 'reused');
  const cache = connection.entries.indexOf('cache');
  const transfer = columns.number('transferSize');
  const body = columns.number('encodedBodySize');
  for (let row = 0; row < columns.n; row++) {
    const group = groupOf[row] as number;
    if (group < 0) continue;
    while (counts.length <= group) {
      counts.push({ samples: 0, cached: 0, bytes: 0, again: 0, bytesAgain: 0, fetched: 0 } as Counting);
    }
    const count = counts[group] as Counting;
    const code = connection.codes[row] as number;
    const network = overNetwork[code] === true;
    const size = transfer[row] as number;
    const bytes = size !== NULL ? size : body[row] === NULL ? 0 : (body[row] as number);
    count.samples++;
    if (code === cache) count.cached++;
    if (network) {
      count.fetched++;
      count.bytes += bytes;
    }
    book.note(group, low[row] as number, high[row] as number, at[row] as number, network ? bytes : -1);
  }
}

/** 64 bits that stand for browser, scheme, host, path template and type together. */
function resourceHashes(columns: SampleColumns): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(columns.n);
  const high = new Int32Array(columns.n);
  for (const name of RESOURCE) {
    const { codes, strings: words } = dimensionColumn(columns, name);
    const one = Int32Array.from(words, (word) => hashText(word, 0));
    const other = Int32Array.from(words, (word) => hashText(word, 1));
    for (let row = 0; row < columns.n; row++) {
      const code = codes[row] as number;
      low[row] = mixHash(low[row] as number, code < 0 ? 0 : (one[code] as number));
      high[row] = mixHash(high[row] as number, code < 0 ? 1 : (other[code] as number));
    }
  }
  return { low, high };
}
