import type { KeyValueStorage } from './state-store.ts';

type Stores<Name extends string> = Readonly<Record<Name, IDBObjectStore>>;

/**
 * An IndexedDB database of the extension's own origin. Content scripts have the origin of their page, so whatever has taken
 * over a page's process cannot open it; storage.local is within its reach.
 */
export class Database<Name extends string> {
  readonly #name: string;
  readonly #stores: readonly Name[];
  readonly #create: (database: IDBDatabase) => void;
  #opened: Promise<IDBDatabase> | null = null;

  /** @param create makes the stores of a new database */
  constructor(name: string, stores: readonly Name[], create: (database: IDBDatabase) => void) {
    this.#name = name;
    this.#stores = stores;
    this.#create = create;
  }

  /** One transaction. Resolves once it is complete, not merely when `work` is; with `strict`, its effect is on disk. */
  async run<T>(
    mode: IDBTransactionMode,
    durability: IDBTransactionDurability,
    work: (stores: Stores<Name>) => Promise<T>,
  ): Promise<T> {
    this.#opened ??= this.#open();
    const database = await this.#opened.catch((error) => {
      this.#opened = null;
      throw error;
    });
    const transaction = database.transaction(this.#stores, mode, { durability });
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error(`${this.#name} refused a write.`));
    });
    try {
      const stores = Object.fromEntries(this.#stores.map((name) => [name, transaction.objectStore(name)]));
      const result = await work(stores as Stores<Name>);
      await complete;
      return result;
    } catch (error) {
      complete.catch(() => {}); // the same failure, already on its way to the caller
      // A partial write must not be kept: a group marked as seen without its samples would be lost permanently.
      if (transaction.error === null) abort(transaction);
      throw error;
    }
  }

  async #open(): Promise<IDBDatabase> {
    const request = indexedDB.open(this.#name, 1);
    request.onupgradeneeded = () => this.#create(request.result);
    const database = await done(request);
    // The browser closes it if the user removes its files.
    database.onclose = () => {
      this.#opened = null;
    };
    return database;
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // already finished
  }
}

export function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Everything that outlives the background except the queue. Separate from it, so that reading waits for no write of the queue. */
export class IndexedDbStorage implements KeyValueStorage {
  readonly #database = new Database('lastbyte-state', ['items'], (made) => made.createObjectStore('items'));

  get(keys: string | null): Promise<Record<string, unknown>> {
    return this.#database.run('readonly', 'relaxed', async ({ items }) => {
      const range = keys === null ? null : IDBKeyRange.only(keys);
      const [names, values] = await Promise.all([done(items.getAllKeys(range)), done(items.getAll(range))]);
      return Object.fromEntries(names.map((name, index) => [name, values[index]]));
    });
  }

  set(added: Record<string, unknown>, durability: 'strict' | 'relaxed' = 'relaxed'): Promise<void> {
    return this.#database.run('readwrite', durability, async ({ items }) => {
      for (const [name, value] of Object.entries(added)) items.put(value, name);
    });
  }

  remove(keys: string | string[]): Promise<void> {
    return this.#database.run('readwrite', 'relaxed', async ({ items }) => {
      for (const key of [keys].flat()) items.delete(key);
    });
  }
}
