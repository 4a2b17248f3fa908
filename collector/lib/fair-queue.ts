interface Waiting {
  start(): void;
  reject(reason: unknown): void;
}

/**
 * Runs a limited number of jobs at once. Keys alternate, so that many jobs of one never delay the first of another, and
 * no key runs more than its share, because jobs are long and are not preempted. Implemented here, since queue packages
 * have priorities but no fairness between keys.
 */
export class FairQueue<Key> {
  readonly #concurrency: number;
  readonly #share: number;
  readonly #runningOf = new Map<Key, number>();
  /** In the order in which they are served. A key without waiting jobs is removed, because clients can make keys up. */
  readonly #queues = new Map<Key, Waiting[]>();
  #running = 0;
  #waiting = 0;

  /** @param share running jobs per key; default: no limit per key */
  constructor(concurrency: number, share = concurrency) {
    this.#concurrency = concurrency;
    this.#share = share;
  }

  /** Waiting jobs of all keys. */
  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(key: Key): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  /** Starts at once if possible. An aborted job leaves the queue; once started, it has to end on its own. */
  async run<T>(key: Key, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#concurrency && this.#mayRun(key)) this.#begin(key);
    else await this.#wait(key, signal);
    try {
      return await job();
    } finally {
      this.#end(key);
      // Synchronously, so that a new job cannot overtake the waiting ones.
      const next = this.#next();
      if (next !== undefined) {
        this.#begin(next.key);
        next.waiting.start();
      }
    }
  }

  #mayRun(key: Key): boolean {
    return (this.#runningOf.get(key) ?? 0) < this.#share;
  }

  #begin(key: Key): void {
    this.#running++;
    this.#runningOf.set(key, (this.#runningOf.get(key) ?? 0) + 1);
  }

  #end(key: Key): void {
    this.#running--;
    const left = (this.#runningOf.get(key) ?? 1) - 1;
    if (left > 0) this.#runningOf.set(key, left);
    else this.#runningOf.delete(key);
  }

  /** Rejects all waiting jobs. Running ones continue. */
  giveUp(reason: unknown): void {
    for (const waiting of [...this.#queues.values()].flat()) waiting.reject(reason);
    this.#queues.clear();
    this.#waiting = 0;
  }

  #wait(key: Key, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(key, waiting);
        reject(signal?.reason);
      };
      const left = () => signal?.removeEventListener('abort', leave);
      const waiting: Waiting = {
        start() {
          left();
          resolve();
        },
        reject(reason) {
          left();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const queue = this.#queues.get(key) ?? [];
      this.#queues.set(key, queue);
      queue.push(waiting);
      this.#waiting++;
    });
  }

  /** The oldest job of the first key below its share. */
  #next(): { readonly key: Key; readonly waiting: Waiting } | undefined {
    for (const [key, queue] of this.#queues) {
      if (!this.#mayRun(key)) continue;
      const waiting = queue.shift();
      if (waiting === undefined) continue;
      this.#waiting--;
      // Reinserting it moves it to the end.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      return { key, waiting };
    }
    return undefined;
  }

  #remove(key: Key, waiting: Waiting): void {
    const queue = this.#queues.get(key) ?? [];
    const index = queue.indexOf(waiting);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#waiting--;
    if (queue.length === 0) this.#queues.delete(key);
  }
}
