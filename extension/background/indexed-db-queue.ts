import type { ClientInfo, Sample } from '../../shared/sample/sample.ts';
import { Database, done } from './database.ts';
import type { FinalizedBatch, QueueLimits, SampleQueue } from './sample-queue.ts';

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
  readonly #database = new Database('lastbyte', ['groups', 'sealed', 'seen', 'rows'], (made) => {
    made.createObjectStore('groups', { autoIncrement: true });
    made.createObjectStore('sealed', { keyPath: 'id' });
    made.createObjectStore('seen').createIndex('at', '');
    made.createObjectStore('rows');
  });

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

  #run<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.#database.run('readwrite', 'strict', work);
  }
}

type Stores = Readonly<Record<'groups' | 'sealed' | 'seen' | 'rows', IDBObjectStore>>;

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
