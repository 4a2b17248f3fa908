import type { BatchOrigin, Sample } from '../../shared/sample/sample.ts';
import type { SampleQueue, SealedBatch } from './sample-queue.ts';

const DATABASE = 'lastbyte';
const VERSION = 1;
/** Group ids are remembered this long after they were queued, so that a late copy from disk is not taken twice. */
const REMEMBER_MS = 8 * 24 * 3600 * 1000;

interface WaitingGroup {
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** Stores: `groups` by running number, `sealed` by batch id, `seen` group id → time, `rows` the number waiting. */
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
        groups.put({ at, samples });
        await change(rows, samples.length);
      }
      return true;
    });
  }

  seal(id: string, origin: BatchOrigin, maxRows: number): Promise<SealedBatch | null> {
    return this.#run(async ({ groups, sealed }) => {
      const open = await done<SealedBatch[]>(sealed.getAll(null, 1));
      if (open[0]) return open[0];
      const samples: Sample[] = [];
      await eachRecord(groups.openCursor(), (cursor) => {
        const group = cursor.value as WaitingGroup;
        if (samples.length > 0 && samples.length + group.samples.length > maxRows) return false;
        samples.push(...group.samples);
        cursor.delete();
        return true;
      });
      if (samples.length === 0) return null;
      const batch: SealedBatch = { id, origin, samples };
      sealed.put(batch);
      return batch;
    });
  }

  remove(batch: string): Promise<void> {
    return this.#run(async ({ sealed, rows }) => {
      const found = await done<SealedBatch | undefined>(sealed.get(batch));
      if (!found) return;
      sealed.delete(batch);
      await change(rows, -found.samples.length);
    });
  }

  count(): Promise<number> {
    return this.#run(({ rows }) => waitingRows(rows));
  }

  trim(maxRows: number, oldest: number): Promise<number> {
    return this.#run(async ({ groups, rows }) => {
      const waiting = await waitingRows(rows);
      let dropped = 0;
      await eachRecord(groups.openCursor(), (cursor) => {
        const group = cursor.value as WaitingGroup;
        if (waiting - dropped <= maxRows && group.at >= oldest) return false;
        dropped += group.samples.length;
        cursor.delete();
        return true;
      });
      if (dropped > 0) await change(rows, -dropped);
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
      throw error;
    }
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

async function waitingRows(rows: IDBObjectStore): Promise<number> {
  return (await done<number | undefined>(rows.get('waiting'))) ?? 0;
}

async function change(rows: IDBObjectStore, by: number): Promise<void> {
  rows.put((await waitingRows(rows)) + by, 'waiting');
}
