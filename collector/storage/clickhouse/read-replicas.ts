import type { ClickHouse } from './blocking-query.ts';
import type { ClickHouseAddress } from './clickhouse-address.ts';

/** What a replica says about its tables. */
interface Replica {
  /** Where Keeper knows its shard, and its own name there. */
  readonly shard: string;
  readonly name: string;
  tables: number;
  readOnly: number;
  /** The longest, s. */
  delay: number;
  /** Steps that it has not done yet: parts to fetch, merge or remove. */
  queue: number;
  /** How many replicas its shard has, and how many of them are up. */
  replicas: number;
  active: number;
}

/**
 * A line per replica and one per shard that lacks some, in words; none on one server. A node that is away is silent, but its
 * shard knows that it is missing.
 */
export function readReplicas(clickHouse: ClickHouse, { cluster, database }: ClickHouseAddress): string[] {
  if (cluster === null) return [];
  const nodes = nodesOf(clickHouse, cluster);
  const replicas = replicasOf(clickHouse, { cluster, database });
  const lines = replicas.map(({ shard, name, tables, readOnly, delay, queue }) => {
    const state = delay === 0 && queue === 0 ? 'up to date' : `${delay} s behind, ${queue} steps to do`;
    const refuses = readOnly === 0 ? '' : `; ${readOnly} of them accept nothing, because Keeper cannot be reached`;
    return `shard ${shard}, replica ${name}: ${tables} tables, ${state}${refuses}`;
  });
  const found = new Map(replicas.map((replica) => [replica.shard, replica]));
  for (const { shard, replicas: all, active } of found.values()) {
    if (active < all)
      lines.push(`shard ${shard}: ${all - active} of ${all} replicas ${all - active === 1 ? 'is' : 'are'} away`);
  }
  const silent = nodes - replicas.length;
  if (silent > 0) lines.push(`${silent} of ${nodes} nodes of the cluster ${silent === 1 ? 'does' : 'do'} not answer`);
  return lines;
}

/** Whether every replica is up and has all that its shard has. */
export function isComplete(clickHouse: ClickHouse, { cluster, database }: ClickHouseAddress): boolean {
  if (cluster === null) return true;
  const replicas = replicasOf(clickHouse, { cluster, database });
  // Keeper takes some seconds to notice that a node has gone.
  return (
    replicas.length === nodesOf(clickHouse, cluster) &&
    replicas.every(({ delay, active, replicas: all }) => delay === 0 && active === all)
  );
}

function nodesOf(clickHouse: ClickHouse, cluster: string): number {
  const sql = 'SELECT count() AS nodes FROM system.clusters WHERE cluster = {cluster:String}';
  return clickHouse.select(sql, { cluster }).numbers('nodes')[0] ?? 0;
}

function replicasOf(
  clickHouse: ClickHouse,
  { cluster, database }: Pick<ClickHouseAddress, 'cluster' | 'database'>,
): Replica[] {
  const block = clickHouse.select(
    `SELECT zookeeper_path AS path, replica_name AS replica, is_readonly AS readOnly, absolute_delay AS delay,
       queue_size AS queue, total_replicas AS replicas, active_replicas AS active
     FROM clusterAllReplicas('${cluster}', system.replicas) WHERE database = '${database}' ORDER BY path, replica`,
    {},
    { skip_unavailable_shards: 1 },
  );
  const textOf = (column: string) => {
    const { strings, codes } = block.text(column);
    return (row: number) => strings[codes[row] as number] ?? '';
  };
  const [path, name] = [textOf('path'), textOf('replica')];
  const [readOnly, delay, queue, replicas, active] = ['readOnly', 'delay', 'queue', 'replicas', 'active'].map(
    (column) => block.numbers(column),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const found = new Map<string, Replica>();
  for (let row = 0; row < block.n; row++) {
    const shard = path(row).split('/').at(-3) ?? '';
    const own = found.get(`${shard} ${name(row)}`) ?? {
      shard,
      name: name(row),
      tables: 0,
      readOnly: 0,
      delay: 0,
      queue: 0,
      replicas: 0,
      active: Number.POSITIVE_INFINITY,
    };
    found.set(`${shard} ${own.name}`, own);
    own.tables++;
    own.readOnly += readOnly[row] as number;
    own.delay = Math.max(own.delay, delay[row] as number);
    own.queue += queue[row] as number;
    own.replicas = Math.max(own.replicas, replicas[row] as number);
    own.active = Math.min(own.active, active[row] as number);
  }
  return [...found.values()];
}
