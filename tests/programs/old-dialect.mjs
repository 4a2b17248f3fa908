// @ts-check
/**
 * Translates for servers of 2018, Debian's, which cluster as today's do but know neither bound values nor codecs nor numbers of
 * 128 bits, and do not wait for mutations. The product speaks one dialect; only tests need this one.
 * `node old-dialect.mjs PORT,… …` with the HTTP ports of each shard; prints as many ports that translate for them. A process of
 * its own, because tests wait for answers without running anything else.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

const FIRST_OF_MONTH = "toDateTime(concat(toString($1), '-', substring(toString(100 + $2), 2), '-01 00:00:00'), 'UTC')";
const NEWEST_BEFORE =
  "toInt64(arrayReduce('max', arrayPushBack(arrayFilter(start -> start <= $1, $2), $2[1]))) AS step";
const LOOK_MS = 20;
const AT_ONCE = / SETTINGS mutations_sync = \d$/;
/** Parameters of a request that are no settings. */
const OF_HTTP = new Set(['database', 'query_id']);

/** By shard. */
const shards = process.argv.slice(2).map((ports) => ports.split(',').map(Number));
const servers = shards.flat();
const known = new Set((await ask(servers[0], {}, 'SELECT name FROM system.settings')).toString().split('\n'));
console.log((await Promise.all(servers.map(translateFor))).join(' '));

/** @param {number} port of a server */
async function translateFor(port) {
  // Statements with many ranges have many parameters.
  const server = createServer({ maxHeaderSize: 1 << 20 }, async (incoming, response) => {
    try {
      const body = new Uint8Array(await buffer(incoming));
      const { searchParams } = new URL(incoming.url ?? '', 'http://localhost');
      const inAddress = searchParams.get('query');
      const bound = new Map();
      /** @type {Record<string, string>} */
      const kept = {};
      for (const [name, value] of searchParams) {
        if (name.startsWith('param_')) bound.set(name.slice(6), value);
        else if (known.has(name) || OF_HTTP.has(name)) kept[name] = value;
      }
      const statement = inAddress ?? Buffer.from(body).toString();
      const sql = await onAllReplicas(port, inOldDialect(statement, bound));
      const [, ofShards = null] = /^SELECT \* FROM cluster\('\w+', view\((.*)\)\) FORMAT Native$/s.exec(sql) ?? [];
      if (ofShards !== null) return void response.end(await onEachShard(kept, ofShards));
      const answer = await (inAddress === null ? ask(port, kept, sql) : ask(port, { ...kept, query: sql }, body));
      if (AT_ONCE.test(statement)) await mutationsOfAll();
      response.end(answer);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // The client then finds the server unreachable, as it would without this translator.
      if (!message.startsWith('Code:')) incoming.socket.destroy();
      // As today's servers write it, because the client reads it.
      else response.writeHead(500).end(message.replace('e.displayText() = ', '').replace(/, e\.what\(\).*/s, ' (OLD)'));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' ? address?.port : null;
}

/**
 * @param {string} sql
 * @param {ReadonlyMap<string, string>} bound
 */
function inOldDialect(sql, bound) {
  return (
    sql
      .replace(/\{(\w+):([\w()]+)\}/g, (_all, name, type) => literal(bound.get(name) ?? '', type))
      .replace(/ IN \[([\d, ]+)\]/g, ' IN ($1)')
      .replace(/roundDown\(([^[]+?), (\[[\d, ]*\])\) AS step/g, NEWEST_BEFORE)
      .replace(/makeDateTime\((intDiv\(.+?\)), (.+?), 1, 0, 0, 0, 'UTC'\)/g, FIRST_OF_MONTH)
      .replace(/ CODEC\((?:[^()]|\([^()]*\))*\)/g, '')
      .replace(/\b(to)?(U?)Int128\b/g, '$1$2Int64')
      // A table of all shards sends columns on as it gets them, and computed ones too, which are refused.
      .replace(/\b(client|token) String\b/, '$1 LowCardinality(String)')
      .replace(' MATERIALIZED ', ' ALIAS ')
      .replace(AT_ONCE, '')
      .replace(/,? ?(SETTINGS )?fsync_\w+ = 1, fsync_\w+ = 1$/, '')
  );
}

/**
 * @param {string} value escaped already, in an array with quotes
 * @param {string} type
 */
function literal(value, type) {
  if (type === 'String') return `'${value}'`;
  // Texts are looked for with IN.
  if (type !== 'Array(String)') return value;
  return value === '[]' ? "('')" : `(${value.slice(1, -1)})`;
}

/**
 * Today's servers have a table function for it.
 *
 * @param {number} port
 * @param {string} sql
 */
async function onAllReplicas(port, sql) {
  const [all, cluster, database, table] = /clusterAllReplicas\('(\w+)', (\w+)\.(\w+)\)/.exec(sql) ?? [];
  if (all === undefined) return sql;
  const nodes = `SELECT arrayStringConcat(groupArray(concat(host_name, ':', toString(port))), ',')
    FROM system.clusters WHERE cluster = '${cluster}'`;
  return sql.replace(all, `remote('${(await ask(port, {}, nodes)).toString().trim()}', ${database}, ${table})`);
}

/**
 * Today's servers have a table function for this too: blocks of several answers are an answer.
 *
 * @param {Record<string, string>} parameters
 * @param {string} sql
 */
async function onEachShard(parameters, sql) {
  const answers = shards.map((replicas) => firstOf(replicas, (port) => ask(port, parameters, `${sql} FORMAT Native`)));
  return Buffer.concat(await Promise.all(answers));
}

/**
 * @param {readonly number[]} ports
 * @param {(port: number) => Promise<Buffer>} answer
 * @returns {Promise<Buffer>}
 */
async function firstOf([port, ...others], answer) {
  return answer(port ?? 0).catch((error) => {
    if (others.length === 0 || error.message.startsWith('Code:')) throw error;
    return firstOf(others, answer);
  });
}

/** Resolves once no server has a mutation left. One that is away has it done before it answers again. */
async function mutationsOfAll() {
  for (const port of servers) {
    const left = () => ask(port, {}, 'SELECT count() FROM system.mutations WHERE is_done = 0').catch(() => '0');
    while (Number(await left()) > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * The answer of a server; throws what it says.
 *
 * @param {number | undefined} port
 * @param {Record<string, string>} parameters
 * @param {Uint8Array<ArrayBuffer> | string} body
 */
async function ask(port, parameters, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams(parameters)}`, { method: 'POST', body });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(bytes.toString());
  return bytes;
}
