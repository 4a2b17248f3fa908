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
  /** A database of its own. */
  address(database: string): ClickHouseAddress;
  stop(): Promise<void>;
}

/** Starts the engine in a process of its own, with an empty folder. */
export async function startClickHouse(): Promise<ClickHouseServer> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-clickhouse-'));
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await portOf(child);
  return {
    address: (database) => ({
      hosts: [`http://127.0.0.1:${port}`],
      user: 'default',
      password: '',
      database,
    }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
