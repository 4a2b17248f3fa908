import type { Database } from 'better-sqlite3';
import type { BatchClaims } from '../batch-claims.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { databaseFaults, quarantineFault } from '../sqlite/check-store.ts';
import { writeBackup } from '../sqlite/copy-database.ts';
import {
  type BatchRows,
  createBatchReader,
  createWaits,
  FULL_BLOCK,
  type OutboxBlock,
  removeUnformed,
} from '../sqlite/outbox.ts';
import type { SqliteMaintenance } from '../sqlite/sqlite-maintenance.ts';
import type { StoreRunner } from '../sqlite/store-thread.ts';
import { translating } from '../sqlite/translate-error.ts';
import type { Backlog } from '../store.ts';
import { StoreError } from '../store-error.ts';

interface Parts {
  readonly database: Database;
  /** Of what stays in the data folder. */
  readonly local: SqliteMaintenance;
  readonly jobs: StoreRunner<'reader'>;
  readonly remote: StoreRunner<'remote'>;
  readonly writer: StoreRunner<'writer'>;
  /** Epoch ms. */
  readonly clock: () => number;
  readonly watch: Pick<ClockWatch, 'status'>;
  /** Where several collectors share their control data; null until it is open. */
  readonly claims: (() => BatchClaims | null) | null;
  /** Called when chunks are set aside. */
  readonly tell: (error: StoreError) => void;
}

/** Maintenance where samples are in ClickHouse: forwarding takes the place of local rollups. */
export function createRemoteMaintenance({
  database,
  local,
  jobs,
  remote,
  writer,
  clock,
  watch,
  claims,
  tell,
}: Parts): SqliteMaintenance {
  const waits = createWaits(database);
  const batchesOf = createBatchReader(database);
  const chunksUpTo = database.prepare<[number], number>('SELECT id FROM chunk WHERE id <= ?').pluck();
  let migrated = false;
  /** Whether the last block was accepted: while ClickHouse is away, none is prepared. */
  let flows = false;
  let last: Promise<unknown> = Promise.resolve();
  let counted: Promise<Backlog> | null = null;

  /** Those that ask meanwhile share an answer: it may take seconds after a long outage. */
  function backlog(): Promise<Backlog> {
    counted ??= jobs.run('backlog', []).finally(() => {
      counted = null;
    });
    return counted;
  }

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
    const others = open === null ? expectUnshared(block) : await claimedByOthers(open, block);
    const expired = await forwardReadable(block, prepared, others);
    flows = true;
    await writer.run('forwarded', [block.last, expired, clock()]);
    return block.samples;
  }

  /** A damaged chunk must not hold up all that come after it. */
  async function forwardReadable(
    block: OutboxBlock,
    following: OutboxBlock | null,
    others: readonly BatchRows[],
  ): Promise<number> {
    try {
      return await remote.run('forward', [block, following, others]);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'store_corrupt') throw error;
      const faults = await jobs.run('findUnreadable', [translating(() => chunksUpTo.all(block.last))]);
      if (faults.length === 0) throw error;
      await writer.run('setAside', [faults, clock()]);
      tell(error);
      return await remote.run('forward', [block, null, others]);
    }
  }

  /** Other collectors may have acknowledged the same batches: without claims these would count twice. */
  function expectUnshared({ last }: OutboxBlock): readonly BatchRows[] {
    if (translating(() => batchesOf(last)).length === 0) return [];
    throw new StoreError(
      'data_folder_unusable',
      'samples of this data folder were received beside other collectors',
      'Give the same --control as before: it says which collector forwards which batch.',
    );
  }

  /** The same at each attempt, because a claim is never given up. */
  async function claimedByOthers(open: BatchClaims, { last }: OutboxBlock): Promise<readonly BatchRows[]> {
    const batches = translating(() => batchesOf(last));
    const others = new Set(await open.claim(batches.map(({ batch }) => batch)));
    return batches.filter(({ batch }) => others.has(batch));
  }

  /** @returns a failure that does not keep samples from expiring */
  async function forgetClaims(isStopped?: () => boolean): Promise<unknown> {
    try {
      await claims?.()?.forget(isStopped);
      return null;
    } catch (error) {
      // The settings say how long samples are kept, and may have changed since.
      if (error instanceof StoreError && error.code === 'control_unreachable') throw error;
      return error;
    }
  }

  const forwardStep = async (): Promise<boolean> => ((await forwardNext()) ?? 0) >= FULL_BLOCK;

  async function rollUp(): Promise<void> {
    let left = (await backlog()).samples;
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
      if (translating(() => watch.status()).expected !== null) return;
      const failure = await forgetClaims(isStopped);
      if (isStopped?.() !== true) {
        await inTurn(async () => remote.run('removeExpired', [now, retention, (await backlog()).oldest]));
      }
      if (failure !== null) throw failure;
    },
    keptFrom: () => remote.run('samplesFrom', []),
    // A chunk that came back could become part of a block that is on its way, whose samples ClickHouse already knows.
    releaseQuarantine: async () => {},
    erase: (whose) =>
      inTurn(async () => {
        await rollUp();
        const { samples, days } = await remote.run('erase', [whose]);
        await remote.run('rollUp', [clock()]);
        // Samples that have arrived since are not touched: a server beside this command may be sending them.
        return { samples, days, quarantined: await local.forget(whose) };
      }),
    check: () =>
      inTurn(async () => [
        ...translating(() => databaseFaults(database)),
        ...(await local.quarantine()).map((chunk) => quarantineFault(chunk, 'they are not forwarded')),
        ...(await remote.run('check', [])),
      ]),
    repair: () =>
      inTurn(async () => {
        const days = await remote.run('repair', []);
        if (days.length > 0) await remote.run('rollUp', [clock()]);
        return days;
      }),
    async backup(file) {
      await writer.run('formBlocks', []);
      writeBackup(database.name, file, removeUnformed);
    },
    backlog,
    waits: () => translating(waits),
  };
}
