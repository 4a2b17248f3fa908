import type { Database } from 'better-sqlite3';
import { decodeChunk } from '../columns/decode-chunk.ts';
import { BucketRollup } from '../rollups/bucket-rollup.ts';
import { createCellCatalog } from '../rollups/cell-catalog.ts';
import { bucketAt, bucketStart } from '../rollups/resolutions.ts';
import { rollUp } from '../rollups/roll-up.ts';
import type { ErasedBy, QuarantinedChunk } from '../store.ts';
import { toReason } from '../store-error.ts';
import { intact, type StoredBlob } from './intact.ts';
import { translating } from './translate-error.ts';

/** Name in the table `kept`: days whose hours must be rebuilt, because a chunk they were built without was released. */
const REBUILD = 'rebuild';

/** A chunk and what is wrong with it. */
export interface ChunkFault {
  readonly id: number;
  readonly reason: string;
}

/** The writer's side. A chunk is either with all others or in quarantine, never both. */
export interface QuarantineWrites {
  /** @returns how many of them were moved */
  setAside(faults: readonly ChunkFault[], now: number): number;
  /** Moves a chunk back and notes the days that must be rebuilt with it; false if it is gone. */
  release(id: number): boolean;
}

export function createQuarantineWrites(database: Database): QuarantineWrites {
  const move = database.prepare(
    `INSERT INTO quarantine (id, t0, t1, n, rollup, at, reason, crc, bytes)
     SELECT id, t0, t1, n, CASE WHEN id IN (SELECT chunk FROM pending) THEN 'pending' ELSE 'covered' END,
       @now, @reason, crc, bytes
     FROM chunk WHERE id = @id`,
  );
  const remove = database.prepare('DELETE FROM chunk WHERE id = ?');
  const uncover = database.prepare('DELETE FROM pending WHERE chunk = ?');
  const moveBack = database.prepare(
    'INSERT INTO chunk (id, t0, t1, n, crc, bytes) SELECT id, t0, t1, n, crc, bytes FROM quarantine WHERE id = ?',
  );
  const wait = database.prepare("INSERT INTO pending SELECT id FROM quarantine WHERE id = ? AND rollup = 'pending'");
  const forget = database.prepare('DELETE FROM quarantine WHERE id = ?');
  const rebuiltSpan = database.prepare<[number], { t0: number; t1: number }>(
    "SELECT t0, t1 FROM quarantine WHERE id = ? AND rollup = 'rebuilt'",
  );
  const days = rebuildDays(database);
  // Computations with or without them, and caches of them, are outdated.
  const raise = database.prepare('UPDATE state SET step = step + 1, revision = revision + 1');

  const setAside = database.transaction((faults: readonly ChunkFault[], now: number): number => {
    let moved = 0;
    for (const { id, reason } of faults) {
      moved += move.run({ id, reason, now }).changes;
      remove.run(id);
      uncover.run(id);
    }
    raise.run();
    return moved;
  });
  const release = database.transaction((id: number): boolean => {
    const found = moveBack.run(id).changes > 0;
    wait.run(id);
    const span = rebuiltSpan.get(id);
    // In the same transaction: a crash before the rebuild must not leave hours without these samples.
    if (span !== undefined) days.add(bucketAt('day', span.t0), bucketAt('day', span.t1));
    forget.run(id);
    raise.run();
    return found;
  });
  return {
    setAside: (faults, now) => setAside.immediate(faults, now),
    release: (id) => release.immediate(id),
  };
}

/** The side of maintenance, which manages quarantine. */
export interface Quarantine {
  /** Oldest samples first. */
  list(): readonly QuarantinedChunk[];
  /** Days whose hours must be rebuilt because a chunk was released. */
  daysToRebuild(): readonly number[];
  noteDayRebuilt(day: number): void;
  /** Notes that the hours of a time range, epoch ms, were rebuilt without the chunks in quarantine. */
  noteRebuilt(from: number, to: number): void;
  /** Notes that samples will be erased, some of which may be in quarantine or get there meanwhile. */
  noteErased(whose: ErasedBy): void;
  /** Forgets erasures if nothing is in quarantine that could undo them. */
  forgetErased(): void;
  erased(): readonly ErasedBy[];
}

export function createQuarantine(database: Database): Quarantine {
  const all = database.prepare<[], QuarantinedChunk>(
    'SELECT id, t0 AS "from", t1 AS "to", n AS samples, at AS since, reason FROM quarantine ORDER BY t0, id',
  );
  const days = rebuildDays(database);
  const noteRebuilt = database.prepare(
    "UPDATE quarantine SET rollup = 'rebuilt' WHERE rollup = 'covered' AND t1 >= ? AND t0 < ?",
  );
  const noteErased = database.prepare('INSERT OR IGNORE INTO quarantine_erased VALUES (?, ?)');
  const forgetErased = database.prepare('DELETE FROM quarantine_erased WHERE NOT EXISTS (SELECT 1 FROM quarantine)');
  const erased = database.prepare<[], { kind: 'client' | 'key'; id: string }>('SELECT kind, id FROM quarantine_erased');
  return {
    list: () => translating(() => all.all()),
    daysToRebuild: () => translating(() => days.all()),
    noteDayRebuilt: (day) => translating(() => days.remove(day)),
    noteRebuilt: (from, to) => translating(() => void noteRebuilt.run(from, to)),
    noteErased: (whose) =>
      translating(
        () => void ('key' in whose ? noteErased.run('key', whose.key) : noteErased.run('client', whose.client)),
      ),
    forgetErased: () => translating(() => void forgetErased.run()),
    erased: () =>
      translating(() => erased.all()).map(({ kind, id }) => (kind === 'key' ? { key: id } : { client: id })),
  };
}

function rebuildDays(database: Database) {
  const find = database.prepare<[string], string>('SELECT value FROM kept WHERE name = ?').pluck();
  const put = database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?)');
  const all = (): number[] => JSON.parse(find.get(REBUILD) ?? '[]');
  return {
    all,
    /** Within a transaction. */
    add(first: number, last: number) {
      const days = new Set(all());
      for (let day = first; day <= last; day++) days.add(day);
      put.run(REBUILD, JSON.stringify([...days]));
    },
    remove: database.transaction((day: number) => {
      put.run(REBUILD, JSON.stringify(all().filter((other) => other !== day)));
    }).immediate,
  };
}

/** Reads chunks one by one to find those that made a job fail. */
export interface FindUnreadable {
  among(chunks: readonly number[]): ChunkFault[];
  ofDay(day: number): ChunkFault[];
  /** Why a chunk in quarantine still can't be read; null if it can. */
  inQuarantine(chunk: number): string | null;
}

export function createFindUnreadable(database: Database): FindUnreadable {
  const chunk = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM chunk WHERE id = ?');
  const quarantined = database.prepare<[number], StoredBlob>('SELECT bytes, crc FROM quarantine WHERE id = ?');
  const ofDay = database.prepare<[number, number], number>('SELECT id FROM chunk WHERE t1 >= ? AND t0 < ?').pluck();

  const among = (chunks: readonly number[]) =>
    chunks.flatMap((id) => {
      const blob = chunk.get(id);
      const reason = blob === undefined ? null : faultOf(blob);
      return reason === null ? [] : [{ id, reason }];
    });
  return {
    among,
    ofDay: (day) => among(ofDay.all(bucketStart('day', day), bucketStart('day', day + 1))),
    inQuarantine(id) {
      const blob = quarantined.get(id);
      return blob === undefined ? null : faultOf(blob);
    },
  };
}

/** Does everything that jobs do with a chunk and discards the result. Failing to read the blob itself is not its fault. */
function faultOf(blob: StoredBlob): string | null {
  try {
    const columns = decodeChunk(intact(blob, 'a chunk of samples'));
    for (const name of columns.metricNames) columns.metric(name);
    const hours = new Map<number, BucketRollup>();
    rollUp(columns, createCellCatalog(), (hour) => {
      const open = hours.get(hour) ?? new BucketRollup();
      hours.set(hour, open);
      return open;
    });
    return null;
  } catch (error) {
    return toReason(error);
  }
}
