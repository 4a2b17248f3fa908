import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Backlog } from '../store.ts';
import { createNotKeptCounter } from './not-kept.ts';

/** A block of this many samples is worth a statement of its own; fewer wait a few seconds for others. */
export const FULL_BLOCK = 20_000;
/** Samples of a block at most, unless a single chunk has more. */
const MAX_BLOCK = 100_000;

/** Chunks that are sent to ClickHouse as one block: those after one up to another. */
export interface OutboxBlock {
  readonly after: number;
  readonly last: number;
  readonly token: string;
  readonly samples: number;
}

/** Rows of a chunk. */
export interface BatchRows {
  readonly chunk: number;
  readonly first: number;
  readonly n: number;
  /** As 32 hexadecimal digits. */
  readonly batch: string;
}

/** Chunks that wait to be forwarded: all there are, in a database whose samples are kept elsewhere. */
export interface OutboxWrites {
  /**
   * The next block, and the one after it if it is full already. They stay the same until they are `forwarded`, also after a
   * restart: whether an attempt that was cut off had arrived is known only to ClickHouse, which recognizes the token.
   */
  nextBlocks(): readonly OutboxBlock[];
  /** Makes blocks of all that waits. */
  formBlocks(): null;
  /**
   * Removes the chunks up to the end of the next block.
   *
   * @param expired how many of its samples are not kept, because those of their day have expired
   * @param now epoch ms
   */
  forwarded(last: number, expired: number, now: number): null;
}

/** @param newToken a name that no other block has */
export function createOutboxWrites(database: Database, newToken: () => string = randomUUID): OutboxWrites {
  const fixed = database.prepare<[], { last: number; token: string }>(
    'SELECT last_chunk AS last, token FROM outbox_block ORDER BY last_chunk',
  );
  const samplesOf = database
    .prepare<[number, number], number>('SELECT coalesce(sum(n), 0) FROM chunk WHERE id > ? AND id <= ?')
    .pluck();
  const chunks = database.prepare<[number], { id: number; n: number }>(
    'SELECT id, n FROM chunk WHERE id > ? ORDER BY id',
  );
  const fix = database.prepare('INSERT INTO outbox_block (last_chunk, token) VALUES (@last, @token)');
  const remove = database.prepare('DELETE FROM chunk WHERE id <= ?');
  const forget = database.prepare('DELETE FROM chunk_batch WHERE chunk <= ?');
  const uncover = database.prepare('DELETE FROM pending WHERE chunk <= ?');
  const end = database.prepare('DELETE FROM outbox_block WHERE last_chunk <= ?');

  const countNotKept = createNotKeptCounter(database);

  const forwarded = database.transaction((last: number, expired: number, now: number) => {
    remove.run(last);
    uncover.run(last);
    forget.run(last);
    // Another process may have begun with the next block.
    end.run(last);
    if (expired > 0) countNotKept(now, '', 'samples_expired', expired);
  });

  /** @param known if it was formed before @returns null if fewer samples wait than it needs */
  function blockAfter(
    after: number,
    known: { last: number; token: string } | undefined,
    least: number,
  ): OutboxBlock | null {
    if (known !== undefined) return { ...known, after, samples: samplesOf.get(after, known.last) ?? 0 };
    let last = after;
    let samples = 0;
    for (const { id, n } of chunks.iterate(after)) {
      if (last !== after && samples + n > MAX_BLOCK) break;
      last = id;
      samples += n;
    }
    if (samples < least) return null;
    const block = { after, last, token: newToken(), samples };
    fix.run(block);
    return block;
  }

  /** In one transaction: a command beside the server would give the same chunks another token, and they would count twice. */
  const formBlocks = database.transaction((most: number, leastOfLater: number): readonly OutboxBlock[] => {
    const known = fixed.all();
    let after = 0;
    const blocks: OutboxBlock[] = [];
    while (blocks.length < most) {
      const block = blockAfter(after, known[blocks.length], blocks.length === 0 ? 1 : leastOfLater);
      if (block === null) break;
      blocks.push(block);
      after = block.last;
    }
    return blocks;
  });
  const waits = createWaits(database);

  return {
    // An empty outbox is looked at every few seconds, without a lock.
    nextBlocks: () => (waits() ? formBlocks.immediate(2, FULL_BLOCK) : []),
    formBlocks() {
      formBlocks.immediate(Number.POSITIVE_INFINITY, 1);
      return null;
    },
    forwarded(last, expired, now) {
      forwarded.immediate(last, expired, now);
      return null;
    },
  };
}

/** Removes what has come after the last block: where it is restored, its blocks would have other tokens, and count twice. */
export function removeUnformed(database: Database): void {
  database.exec(`DELETE FROM chunk WHERE id > (SELECT coalesce(max(last_chunk), 0) FROM outbox_block);
    DELETE FROM chunk_batch WHERE chunk NOT IN (SELECT id FROM chunk);
    DELETE FROM pending WHERE chunk NOT IN (SELECT id FROM chunk)`);
}

/** Chunks of a block, in the order in which they were received. */
export function createBlockReader(
  database: Database,
): (block: Pick<OutboxBlock, 'after' | 'last'>) => Iterable<{ id: number; bytes: Buffer; crc: number }> {
  const chunks = database.prepare<[number, number], { id: number; bytes: Buffer; crc: number }>(
    'SELECT id, bytes, crc FROM chunk WHERE id > ? AND id <= ? ORDER BY id',
  );
  return ({ after, last }) => chunks.iterate(after, last);
}

/** The batches of a block, if they are noted. */
export function createBatchReader(database: Database): (last: number) => readonly BatchRows[] {
  const rows = database.prepare<[number], BatchRows>(
    'SELECT chunk, first_row AS first, n, lower(hex(batch)) AS batch FROM chunk_batch WHERE chunk <= ? ORDER BY chunk, first_row',
  );
  return (last) => rows.all(last);
}

/** Whether any chunk waits. */
export function createWaits(database: Database): () => boolean {
  const any = database.prepare('SELECT 1 FROM chunk LIMIT 1');
  return () => any.get() !== undefined;
}

/** Reads every chunk's page, gigabytes after a long outage: not for a thread that others wait for. */
export function createBacklogReader(database: Database): () => Backlog {
  const all = database.prepare<[], Backlog>(
    `SELECT coalesce(sum(n), 0) AS samples, coalesce(sum(length(bytes)), 0) AS bytes, min(t0) AS oldest FROM chunk`,
  );
  return () => all.get() ?? { samples: 0, bytes: 0, oldest: null };
}
