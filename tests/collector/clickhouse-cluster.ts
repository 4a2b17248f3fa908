import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { ClickHouseAddress } from '../../collector/storage/clickhouse/clickhouse-address.ts';
import { freePort } from './free-port.ts';

/** Where Debian has them: 18.16, the only server that a package registry offers. */
const [SERVER, JAVA, ZOOKEEPER] = ['/usr/sbin/clickhouse-server', '/usr/bin/java', '/usr/share/java/zookeeper.jar'];
const DIALECT = 'tests/programs/old-dialect.mjs';
const CLUSTER = 'lastbyte';
/** Today's servers behave so by themselves. */
const AS_TODAY = { allow_experimental_low_cardinality_type: 1, join_default_strictness: 'ALL' };
/**
 * A server that was killed between storing a part and telling ZooKeeper has a part too many. It does not start if that
 * holds more than half of a table, as a block does in a table as small as ours.
 */
const PARTS_TOO_MANY = { replicated_max_ratio_of_wrong_parts: 1 };
/** How long a server takes to answer after its start at most, ms. */
const START_MS = 60_000;
const LOOK_MS = 50;
/** How long ZooKeeper may be silent before it is asked again. */
const ANSWER_MS = 1_000;

/** What to say if a cluster cannot be started here; null if it can. */
export function clusterAbsent(): string | null {
  if ([SERVER, JAVA, ZOOKEEPER].every((file) => existsSync(file))) return null;
  return 'there is no cluster of ClickHouse; install one with: apt-get install clickhouse-server zookeeper default-jre-headless';
}

/** One server of a cluster. */
export interface ClusterNode {
  /** An address that asks this node only. */
  address(database: string): ClickHouseAddress;
  /** Rows of a statement in the server's own dialect. */
  rows(database: string, sql: string): Promise<unknown[][]>;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts it again with what it had. */
  start(): Promise<void>;
}

export interface ClickHouseCluster {
  /** By shard and replica. */
  readonly nodes: readonly (readonly ClusterNode[])[];
  /** A new database on every node, and an address that names all of them. */
  createDatabase(name: string): Promise<ClickHouseAddress>;
  stop(): Promise<void>;
}

/** Starts ZooKeeper and as many servers. @param replicas how many each shard has @param settings of every statement */
export async function startCluster(
  replicas: readonly number[],
  settings: Readonly<Record<string, number>> = {},
): Promise<ClickHouseCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-cluster-'));
  const children = new Set<ChildProcess>();
  const begin = (program: string, options: readonly string[]): ChildProcess => {
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const keeper = await freePort();
  await writeFile(join(folder, 'zoo.cfg'), zooKeeperConfig(join(folder, 'zookeeper'), keeper));
  begin(JAVA, ['-Xmx256m', '-cp', ZOOKEEPER, ZOOKEEPER_MAIN, join(folder, 'zoo.cfg')]);
  await until(() => serves(keeper));

  const places: Place[][] = [];
  for (const [shard, n] of replicas.entries()) {
    const own: Place[] = [];
    for (let replica = 0; replica < n; replica++) {
      const [http, tcp, interserver] = [await freePort(), await freePort(), await freePort()];
      own.push({ shard: shard + 1, replica: replica + 1, http, tcp, interserver });
    }
    places.push(own);
  }
  const ports = places.flat().map(({ http }) => http);
  // One after the other: of two that make the queue of statements at once, 18.16 leaves one without it.
  const nodes: ClusterNode[][] = [];
  for (const shard of places) {
    const started: ClusterNode[] = [];
    for (const place of shard) started.push(await startNode(place));
    nodes.push(started);
  }

  const translated = await portsOf(
    begin(process.execPath, [DIALECT, ...places.map((shard) => shard.map(({ http }) => http).join(','))]),
  );

  async function startNode(place: Place): Promise<ClusterNode> {
    const own = join(folder, `${place.shard}-${place.replica}`);
    await mkdir(own);
    await writeFile(join(own, 'users.xml'), usersConfig(settings));
    await writeFile(join(own, 'config.xml'), serverConfig(own, place, places, keeper));
    let child: ChildProcess | null = null;
    async function start(): Promise<void> {
      const server = begin(SERVER, [`--config-file=${join(own, 'config.xml')}`]);
      child = server;
      // Without this a crash is seen minutes later, as a statement that does not end.
      server.once('exit', async (code, signal) => {
        if (signal === 'SIGKILL') return;
        const log = await readFile(join(own, 'errors.log'), 'utf8').catch(String);
        console.error(`Replica ${place.shard}-${place.replica} ended by itself (${signal ?? code}):\n${log}`);
      });
      await until(async () => (await ask(place.http, {}, 'SELECT 1')) === '1\n');
    }
    await start();
    return {
      address: (database) => addressOf([translated[ports.indexOf(place.http)] ?? 0], database),
      async rows(database, sql) {
        const answer = await ask(place.http, { database }, `${sql} FORMAT JSONCompact`);
        return (JSON.parse(answer) as { data: unknown[][] }).data;
      },
      async kill() {
        const running = child;
        child = null;
        if (running === null) return;
        const ended = once(running, 'exit');
        running.kill('SIGKILL');
        await ended;
      },
      start,
    };
  }

  return {
    nodes,
    async createDatabase(name) {
      for (const port of ports) await ask(port, {}, `CREATE DATABASE ${name}`);
      return addressOf(translated, name);
    },
    async stop() {
      await Promise.all(
        [...children].map(async (child) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        }),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function addressOf(ports: readonly number[], database: string): ClickHouseAddress {
  const hosts = ports.map((port) => `http://127.0.0.1:${port}`);
  return { hosts, user: 'default', password: '', database, cluster: CLUSTER };
}

interface Place {
  readonly shard: number;
  readonly replica: number;
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
}

const ZOOKEEPER_MAIN = 'org.apache.zookeeper.server.quorum.QuorumPeerMain';

function zooKeeperConfig(folder: string, port: number): string {
  return `tickTime=2000
dataDir=${folder}
clientPort=${port}
clientPortAddress=127.0.0.1
admin.enableServer=false
forceSync=no
`;
}

function usersConfig(settings: Readonly<Record<string, number>>): string {
  const all = { ...AS_TODAY, max_threads: 2, ...settings };
  return `<yandex>
  <profiles><default>${elementsOf(all)}</default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>`;
}

function serverConfig(folder: string, own: Place, places: readonly (readonly Place[])[], keeper: number): string {
  const shards = places.map((replicas) => {
    const hosts = replicas.map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`);
    return `<shard><internal_replication>true</internal_replication>${hosts.join('')}</shard>`;
  });
  return `<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/errors.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${own.http}</http_port>
  <tcp_port>${own.tcp}</tcp_port>
  <interserver_http_port>${own.interserver}</interserver_http_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>100000000</mark_cache_size>
  <merge_tree>${elementsOf(PARTS_TOO_MANY)}</merge_tree>
  <remote_servers><${CLUSTER}>${shards.join('')}</${CLUSTER}></remote_servers>
  <zookeeper><node><host>127.0.0.1</host><port>${keeper}</port></node><session_timeout_ms>10000</session_timeout_ms></zookeeper>
  <macros><shard>${own.shard}</shard><replica>${own.replica}</replica></macros>
  <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</yandex>`;
}

function elementsOf(values: Readonly<Record<string, number | string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
}

async function until(answers: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + START_MS;
  while (!(await answers().catch(() => false))) {
    if (Date.now() > end) throw new Error('a server of the cluster does not answer');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * ZooKeeper accepts connections before it serves them, and leaves some without an answer; 18.16 crashes if its first
 * session fails (a null pointer in DDLWorker), so a server may only start after this.
 */
async function serves(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('no answer')));
  socket.write('srvr');
  return (await text(socket)).includes('Mode: standalone');
}

async function portsOf(child: ChildProcess): Promise<number[]> {
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) return line.split(' ').map(Number);
  throw new Error('nothing translates for the cluster');
}

/** In a server's own dialect; throws what it says. */
async function ask(port: number, parameters: Readonly<Record<string, string>>, sql: string): Promise<string> {
  const address = `http://127.0.0.1:${port}/?${new URLSearchParams(parameters)}`;
  // While a statement blocks this thread, it does not see that an idle connection was closed.
  const answer = await fetch(address, { method: 'POST', body: sql, headers: { connection: 'close' } });
  const said = await answer.text();
  if (!answer.ok) throw new Error(said);
  return said;
}
