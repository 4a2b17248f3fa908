import { NULL } from '../../../../shared/sample/sample-columns.ts';
import type { CacheCount } from '../../../../shared/views/cache-table.ts';
import { divideGroups, oneGroup } from '../../rollup/combine-codes.ts';
import type { QueryGroups } from '../query-groups.ts';
import type { RowPart } from '../row-part.ts';
import { wordsOfRows } from '../row-words.ts';

const RESOURCE = ['client', 'scheme', 'host', 'template', 'type'] as const;

/** One resource of one browser: its first request, and what all of them fetched. */
interface Resource {
  first: number;
  /** Bytes of that request, −1 where it did not go over the network. */
  firstBytes: number;
  fetched: number;
  bytes: number;
}

/**
 * Cache and refetches by type; the columns' answer to `cacheTable`. Which request of a resource came first is decided at
 * the end, so that it does not matter in which order chunks are read.
 *
 * @param byType groups by type, filters applied
 * @param foldBelow types that fewer browsers asked for are left out
 */
export function countCache(
  parts: readonly RowPart[],
  byType: QueryGroups,
  foldBelow: number,
): ReadonlyMap<string, CacheCount> {
  const types: { counts: CacheCount; resources: Map<string, Resource>; clients: Set<string> }[] = [];
  for (const part of parts) {
    const { columns } = part;
    const dimensions = RESOURCE.map((name) => wordsOfRows(columns, name));
    const { codes, first } = dimensions.reduce(
      (groups, { codes: places, words }) => divideGroups(groups, places, words.length),
      oneGroup(columns.n),
    );
    const resourceOf: (Resource | undefined)[] = new Array(first.length);
    const groupOf = byType.groupsOfRows(part);
    const at = columns.at();
    const connection = columns.text('connection');
    const clients = dimensions[0];
    const transfer = columns.number('transferSize');
    const body = columns.number('encodedBodySize');
    for (let row = 0; row < columns.n; row++) {
      const group = groupOf[row] as number;
      if (group < 0) continue;
      while (types.length <= group) {
        const counts = { samples: 0, cached: 0, bytes: 0, again: 0, bytesAgain: 0 };
        types.push({ counts, resources: new Map(), clients: new Set() });
      }
      const type = types[group] as (typeof types)[number];
      const code = codes[row] as number;
      let resource = resourceOf[code];
      if (resource === undefined) {
        const id = dimensions.map(({ codes: places, words }) => words[places[row] as number]).join('\n');
        resource = type.resources.get(id);
        if (resource === undefined) {
          resource = { first: Number.POSITIVE_INFINITY, firstBytes: -1, fetched: 0, bytes: 0 };
          type.resources.set(id, resource);
        }
        resourceOf[code] = resource;
        type.clients.add(clients?.words[clients.codes[row] as number] ?? '');
      }
      const word = connection.entries[connection.codes[row] as number];
      const network = word === 'new' || word === 'reused';
      const size = transfer[row] as number;
      const bytes = size !== NULL ? size : body[row] === NULL ? 0 : (body[row] as number);
      type.counts.samples++;
      if (word === 'cache') type.counts.cached++;
      if (network) {
        resource.fetched++;
        resource.bytes += bytes;
      }
      if ((at[row] as number) < resource.first) {
        resource.first = at[row] as number;
        resource.firstBytes = network ? bytes : -1;
      }
    }
  }
  const found = new Map<string, CacheCount>();
  types.forEach(({ counts, resources, clients }, group) => {
    if (clients.size < foldBelow) return;
    for (const { fetched, bytes, firstBytes } of resources.values()) {
      counts.bytes += bytes;
      counts.again += fetched - (firstBytes >= 0 ? 1 : 0);
      counts.bytesAgain += bytes - Math.max(0, firstBytes);
    }
    found.set(byType.keys[group]?.type ?? '', counts);
  });
  return found;
}
