import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ClickHouseAddress } from '../../collector/storage/clickhouse/clickhouse-address.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { SqliteMaintenance } from '../../collector/storage/sqlite/sqlite-maintenance.ts';
import type { Store } from '../../collector/storage/store.ts';

/** Benches are bundled elsewhere, so that its place is not relative to this file. */
const PROGRAM = 'tests/programs/clickhouse-server.mjs';

export interface ClickHouseServer {
  readonly port: number;
  /** A database of its own, as the user whom docs/scale.md describes. */
  address(name: string): ClickHouseAddress;
  /** Rows of a question in such a database, as arrays. */
  rows(name: string, sql: string): Promise<unknown[][]>;
  /** Has a statement executed that the user of the product may not execute. @param name of a database that exists */
  administer(name: string, sql: string): Promise<void>;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts it again with what it had. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the engine in a process of its own, with an empty folder. @param program where a bundle has it */
export async function startClickHouse(program = PROGRAM): Promise<ClickHouseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-clickhouse-'));
  let child: ChildProcess | null = null;
  const begin = (port: number): Promise<number> => {
    child = spawn(process.execPath, [program, folder, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    return portOf(child);
  };
  async function kill(): Promise<void> {
    const running = child;
    child = null;
    if (running === null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }
  const port = await begin(0);
  async function administer(name: string, sql: string): Promise<Response> {
    const answer = await fetch(`http://127.0.0.1:${port}/?database=${databaseOf(name)}&role=administrator`, {
      method: 'POST',
      body: sql,
      // While a statement blocks this thread, it does not see that an idle connection was closed.
      headers: { connection: 'close' },
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }
  return {
    port,
    address: (name) => ({
      url: `http://127.0.0.1:${port}`,
      user: 'default',
      password: '',
      database: databaseOf(name),
    }),
    async rows(name, sql) {
      const answer = await administer(name, `${sql} FORMAT JSONCompact`);
      return ((await answer.json()) as { data: unknown[][] }).data;
    },
    async administer(name, sql) {
      await (await administer(name, sql)).arrayBuffer();
    },
    kill,
    async start() {
      await begin(port);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Such as the user of tests may use. */
export const databaseOf = (name: string): string => `lastbyte_${name}`;

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('no output');
  for await (const line of createInterface({ input: child.stdout })) return Number(line);
  throw new Error('the server ended before it listened');
}

/** What was appended is forwarded before anything is read, since no answer has it earlier. */
export async function openForwarding(folder: string, samples: ClickHouseAddress): Promise<Store> {
  const store = await openStore({ folder, as: 'command', samples });
  const { rollUpStep } = store.maintenance as SqliteMaintenance;
  let waits = true;
  const noting =
    <I extends unknown[], O>(append: (...input: I) => Promise<O>) =>
    (...input: I): Promise<O> => {
      waits = true;
      return append(...input);
    };
  const forwarded = async (): Promise<void> => {
    if (!waits) return;
    waits = false;
    while (await rollUpStep());
  };
  const after =
    <I extends unknown[], O>(read: (...input: I) => Promise<O>) =>
    async (...input: I): Promise<O> => {
      await forwarded();
      return read(...input);
    };
  async function* scanning<T>(scan: () => AsyncIterable<T>): AsyncIterable<T> {
    await forwarded();
    yield* scan();
  }
  const own = store.samples;
  return {
    ...store,
    samples: {
      append: noting(own.append),
      ingest: noting(own.ingest as never),
      aggregate: after(own.aggregate),
      distributions: after(own.distributions),
      read: after(own.read as never),
      scan: (query) => scanning(() => own.scan(query)),
      scanColumns: (query) => scanning(() => own.scanColumns(query)),
    },
  };
}
