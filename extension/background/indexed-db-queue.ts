import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import type { FinalizedBatch, QueueLimits, SampleQueue } from './sample-queue.ts';

const DATABASE = 'lastbyte';
const VERSION = 1;
/** Group ids are remembered this long after they were queued, so that a late copy from disk is not queued twice. */
const REMEMBER_MS = 8 * 24 * 3600 * 1000;

interface WaitingGroup {
  readonly at: number;
  readonly samples: readonly Sample[];
  /** Length of the samples as JSON. */
  readonly bytes: number;
}

/** Stores: `groups` by running number, `sealed` by batch id, `seen` group id → time, `rows` the totals. */
export class IndexedDbQueue implements SampleQueue {
  #database: Promise<IDBDatabase> | null = null;

  add(group: string, samples: readonly Sample[], at: number): Promise<boolean> {
    return this.#run(async ({ groups, seen, rows }) => {
      if ((await done(seen.get(group))) !== undefined) return false;
      seen.put(at, group);
      await eachRecord(seen.index('at').openCursor(IDBKeyRange.upperBound(at - REMEMBER_MS)), (cursor) => {
        cursor.delete();
        return true;
      });
      if (samples.length > 0) {
        const bytes = JSON.stringify(samples).length;
        groups.put({ at, samples, bytes });
        await change(rows, 'waiting', samples.length);
        await change(rows, 'bytes', bytes);
      }
      return true;
    });
  }

  finalize(id: string, origin: ClientInfo, maxRows: number): Promise<FinalizedBatch | null> {
    return this.#run(async ({ groups, sealed, rows }) => {
      const open = await done<FinalizedBatch[]>(sealed.getAll(null, 1));
      if (open[0]) return open[0];
      const samples: Sample[] = [];
      let bytes = 0;
      await eachRecord(groups.openCursor(), (cursor) => {
        const group = cursor.value as WaitingGroup;
        if (samples.length > 0 && samples.length + group.samples.length > maxRows) return false;
        samples.push(...group.samples);
        bytes += group.bytes;
        cursor.delete();
        return true;
      });
      if (samples.length === 0) return null;
      const batch: FinalizedBatch = { id, origin, samples };
      sealed.put(batch);
      await change(rows, 'bytes', -bytes); // the limits apply to what queues up behind the finalized batch
      return batch;
    });
  }

  remove(batch: string): Promise<void> {
    return this.#run(async ({ sealed, rows }) => {
      const found = await done<FinalizedBatch | undefined>(sealed.get(batch));
      if (!found) return;
      sealed.delete(batch);
      await change(rows, 'waiting', -found.samples.length);
    });
  }

  count(): Promise<number> {
    return this.#run(({ rows }) => total(rows, 'waiting'));
  }

  countDroppable(): Promise<number> {
    return this.#run(droppableRows);
  }

  trim({ maxRows, maxBytes, oldest }: QueueLimits): Promise<number> {
    return this.#run(async (stores) => {
      const { groups, rows } = stores;
      const waiting = await droppableRows(stores);
      const bytes = await total(rows, 'bytes');
      let dropped = 0;
      let droppedBytes = 0;
      await eachRecord(groups.openCursor(), (cursor) => {
        const group = cursor.value as WaitingGroup;
        if (waiting - dropped <= maxRows && bytes - droppedBytes <= maxBytes && group.at >= oldest) return false;
        dropped += group.samples.length;
        droppedBytes += group.bytes;
        cursor.delete();
        return true;
      });
      if (dropped > 0) {
        await change(rows, 'waiting', -dropped);
        await change(rows, 'bytes', -droppedBytes);
      }
      return dropped;
    });
  }

  /** Resolves once the transaction is complete, not merely when `work` is. */
  async #run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    this.#database ??= open();
    const database = await this.#database.catch((error) => {
      this.#database = null;
      throw error;
    });
    const transaction = database.transaction(['groups', 'sealed', 'seen', 'rows'], 'readwrite', {
      durability: 'strict',
    });
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The queue refused a write.'));
    });
    try {
      const result = await work({
        groups: transaction.objectStore('groups'),
        sealed: transaction.objectStore('sealed'),
        seen: transaction.objectStore('seen'),
        rows: transaction.objectStore('rows'),
      });
      await complete;
      return result;
    } catch (error) {
      complete.catch(() => {}); // the same failure, already on its way to the caller
      // A partial write must not be kept: a group marked as seen without its samples would be lost permanently.
      if (transaction.error === null) abort(transaction);
      throw error;
    }
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // already finished
  }
}

type Stores = Readonly<Record<'groups' | 'sealed' | 'seen' | 'rows', IDBObjectStore>>;

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    const database = request.result;
    database.createObjectStore('groups', { autoIncrement: true });
    database.createObjectStore('sealed', { keyPath: 'id' });
    database.createObjectStore('seen').createIndex('at', '');
    database.createObjectStore('rows');
  };
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Visits records in order until `visit` returns false. */
function eachRecord(
  request: IDBRequest<IDBCursorWithValue | null>,
  visit: (cursor: IDBCursorWithValue) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || !visit(cursor)) resolve();
      else cursor.continue();
    };
  });
}

/** `waiting` rows, those of the finalized batch included, and `bytes` of the groups. */
async function total(rows: IDBObjectStore, name: 'waiting' | 'bytes'): Promise<number> {
  return (await done<number | undefined>(rows.get(name))) ?? 0;
}

async function droppableRows({ sealed, rows }: Stores): Promise<number> {
  const [batch] = await done<FinalizedBatch[]>(sealed.getAll(null, 1));
  return (await total(rows, 'waiting')) - (batch?.samples.length ?? 0);
}

async function change(rows: IDBObjectStore, name: 'waiting' | 'bytes', by: number): Promise<void> {
  rows.put((await total(rows, name)) + by, name);
}
