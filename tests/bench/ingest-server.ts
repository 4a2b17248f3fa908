/** One of the servers that the ingest bench compares, in a process of its own: `ingest-server KIND FOLDER`. */
import Database from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { startServer } from '../../collector/http/server.ts';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { MAX_BODY_BYTES } from '../../shared/vocabulary/wire-limits.ts';
import { UNLIMITED_CLIENTS } from '../collector/unlimited-clients.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';

const DAY_MS = 24 * 3_600_000;

export type ServerKind = 'lastbyte' | 'parse-only' | 'row-inserts';

export interface ServerStarted {
  readonly port: number;
  /** For batches. */
  readonly token: string;
  /** For the dashboard; only Lastbyte has one. */
  readonly readToken: string;
}

/** What the process has used so far, all of its threads. */
export interface ServerUsage {
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** What the bench may ask for once the load is over. */
interface Running extends ServerStarted {
  /** Resolves when all that was sent is rolled up. */
  finish(): Promise<void>;
  /** Samples that are there to be asked for. */
  stored(): Promise<number>;
  /** What `lastbyte check` finds wrong. */
  check(): Promise<readonly string[]>;
}

/** What the others can't say. */
const NOTHING_KEPT = { finish: async () => {}, stored: async () => Number.NaN, check: async () => [] };

const [kind, folder] = process.argv.slice(2) as [ServerKind, string];
const starters = { lastbyte: startLastbyte, 'parse-only': startParseOnly, 'row-inserts': startRowInserts };
const { finish, stored, check, ...started } = await starters[kind]();
process.on('message', (message) => {
  if (message === 'finish') void finish().then(() => process.send?.('finished'));
  if (message === 'stored') void stored().then((samples) => process.send?.(samples));
  if (message === 'check') void check().then((faults) => process.send?.(faults));
  if (message === 'usage') process.send?.(usage());
});
// The bench is gone, or done.
process.on('disconnect', () => process.exit());
process.send?.(started satisfies ServerStarted);

function usage(): ServerUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, residentBytes: process.memoryUsage().rss };
}

/** Everything as `lastbyte serve` has it: keys, validation, synchronous=FULL, rollups in the background. */
async function startLastbyte(): Promise<Running> {
  const store = await openStore({
    folder,
    as: 'server',
    threadScript: new URL('../../collector/cli/store-thread.ts', import.meta.url),
  });
  const ingest = makeToken('ingest', 'bench', Date.now());
  const read = makeToken('read', 'bench', Date.now());
  for (const { stored } of [ingest, read]) await store.tokens.create(stored);
  const server = await startServer(
    {
      store,
      clock: Date.now,
      version: 'bench',
      dashboardFolder: null,
      loopbackOnly: true,
      trustProxy: false,
      tls: null,
      log: null,
      clientLimits: UNLIMITED_CLIENTS,
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    port: Number(new URL(server.url).port),
    token: ingest.token,
    readToken: read.token,
    finish: () => store.maintenance.rollUp(),
    async stored() {
      const range = { from: 0, to: Date.now() + DAY_MS };
      return (await store.samples.aggregate({ range, filters: {}, by: [] })).samples;
    },
    check: () => store.maintenance.check(),
  };
}

/** The most a Fastify server could do: it reads the body and answers. */
async function startParseOnly(): Promise<Running> {
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES });
  app.post('/api/v1/batches', async (request) => {
    const { batch, n } = request.body as { batch: string; n: number };
    return { batch, duplicate: false, accepted: n, rejected: [] };
  });
  return { port: await listen(app), token: 'none', readToken: 'none', ...NOTHING_KEPT };
}

/** The obvious collector: a row per sample, one transaction per turn of the event loop. */
async function startRowInserts(): Promise<Running> {
  const database = new Database(`${folder}/rows.sqlite`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`CREATE TABLE batch (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE sample (at, client, target, host, scheme, template, type, protocol, source, connection, status, excluded,
      blocked, dns, tcp, tls, wait, receive, ttfb, ttlb, size, idle);
    CREATE INDEX sample_host ON sample (host, type, at)`);
  const insertBatch = database.prepare('INSERT OR IGNORE INTO batch VALUES (?)');
  const insert = database.prepare(`INSERT INTO sample VALUES (?${', ?'.repeat(21)})`);
  type Decoded = Extract<ReturnType<typeof decodeBatch>, { ok: true }>;
  let waiting: { batch: Decoded; resolve: () => void }[] = [];
  const commit = database.transaction((group: typeof waiting) => {
    for (const { batch } of group) {
      if (insertBatch.run(batch.batchId).changes === 0) continue;
      for (const s of batchSamples(batch.columns)) {
        const { blocked, dns, tcp, tls, wait, receive, ttfb, ttlb } = s.times;
        const who = [s.at, batch.origin.client, s.target, s.host, s.scheme, s.template, s.type, s.protocol, s.source];
        const what = [s.connection, s.status, s.excluded, blocked, dns, tcp, tls, wait, receive, ttfb, ttlb];
        insert.run(...who, ...what, s.transferSize, s.idleMs);
      }
    }
  });
  const app = Fastify({ bodyLimit: MAX_BODY_BYTES });
  app.post('/api/v1/batches', async (request) => {
    const batch = decodeBatch(request.body, Date.now());
    if (!batch.ok) throw new Error(batch.message);
    await new Promise<void>((resolve) => {
      if (waiting.length === 0) {
        setImmediate(() => {
          const group = waiting;
          waiting = [];
          commit(group);
          for (const done of group) done.resolve();
        });
      }
      waiting.push({ batch, resolve });
    });
    return { batch: batch.batchId, duplicate: false, accepted: batch.columns.n, rejected: batch.rejected };
  });
  return { port: await listen(app), token: 'none', readToken: 'none', ...NOTHING_KEPT };
}

async function listen(app: FastifyInstance): Promise<number> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return Number(new URL(url).port);
}
