import type { Database } from 'better-sqlite3';
import type { BatchClaims } from '../batch-claims.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { databaseFaults } from '../sqlite/check-store.ts';
import {
  type BatchRows,
  createBacklogReader,
  createBatchReader,
  FULL_BLOCK,
  type OutboxBlock,
} from '../sqlite/outbox.ts';
import type { SqliteMaintenance } from '../sqlite/sqlite-maintenance.ts';
import type { StoreRunner } from '../sqlite/store-thread.ts';
import { translating } from '../sqlite/translate-error.ts';

interface Parts {
  readonly database: Database;
  /** Of what stays in the data folder. */
  readonly local: SqliteMaintenance;
  readonly remote: StoreRunner<'remote'>;
  readonly writer: StoreRunner<'writer'>;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly watch: Pick<ClockWatch, 'doubt'>;
  /** Where several collectors share their control data; null until it is open. */
  readonly claims: (() => BatchClaims | null) | null;
}

/** Maintenance where samples are in ClickHouse: forwarding takes the place of local rollups. */
export function createRemoteMaintenance({
  database,
  local,
  remote,
  writer,
  clock,
  watch,
  claims,
}: Parts): SqliteMaintenance {
  const backlog = createBacklogReader(database);
  const batchesOf = createBatchReader(database);
  let migrated = false;
  /** Whether the last block was accepted: while ClickHouse is away, none is prepared. */
  let flows = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs jobs one after the other: only one block is on its way at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  }

  /** @returns how many samples it had; null if nothing waits */
  async function forwardNext(): Promise<number | null> {
    if (!migrated) await remote.run('migrate', []);
    migrated = true;
    const open = claims?.() ?? null;
    if (claims !== null && open === null) return null;
    const [block, following = null] = await writer.run('nextBlocks', []);
    if (block === undefined) return null;
    // Which rows of the next block other collectors have claimed is known only when it is sent.
    const prepared = flows && open === null ? following : null;
    flows = false;
    const others = open === null ? [] : await claimedByOthers(open, block);
    const expired = await remote.run('forward', [block, prepared, others]);
    flows = true;
    await writer.run('forwarded', [block.last, expired, clock()]);
    return block.samples;
  }

  /** The same at each attempt, because a claim is never given up. */
  async function claimedByOthers(open: BatchClaims, { last }: OutboxBlock): Promise<readonly BatchRows[]> {
    const batches = translating(() => batchesOf(last));
    const others = new Set(await open.claim(batches.map(({ batch }) => batch)));
    return batches.filter(({ batch }) => others.has(batch));
  }

  const forwardStep = async (): Promise<boolean> => ((await forwardNext()) ?? 0) >= FULL_BLOCK;

  async function rollUp(): Promise<void> {
    let left = backlog().samples;
    do left -= (await forwardNext()) ?? left;
    while (left > 0);
    await remote.run('rollUp', [clock()]);
  }

  return {
    ...local,
    rollUp: () => inTurn(rollUp),
    rollUpStep: () => inTurn(forwardStep),
    finalize: (now) =>
      inTurn(async () => {
        await rollUp();
        await remote.run('rollUp', [now]);
      }),
    finalizeEach: (now, failed) =>
      inTurn(async () => {
        await remote.run('rollUp', [now]);
      }).catch(failed),
    async prune(now, retention, isStopped) {
      await local.prune(now, retention, isStopped);
      if (watch.doubt() !== null) return;
      await inTurn(() => remote.run('removeExpired', [now, retention, translating(backlog).oldest]));
      await claims?.()?.forget();
    },
    keptFrom: () => remote.run('samplesFrom', []),
    // Chunks are set aside by local rollups only.
    releaseQuarantine: async () => {},
    erase: (whose, options) =>
      inTurn(async () => {
        await rollUp();
        const { samples, days } = await remote.run('erase', [whose]);
        await remote.run('rollUp', [clock()]);
        const here = await local.erase(whose, options);
        return { ...here, samples: samples + here.samples, days: Math.max(days, here.days) };
      }),
    check: () =>
      inTurn(async () => [...translating(() => databaseFaults(database)), ...(await remote.run('check', []))]),
    replicas: () => remote.run('replicas', []),
    repair: async () => [],
    backlog: async () => translating(backlog),
  };
}
