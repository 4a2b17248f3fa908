interface Waiting {
  start(): void;
  giveUp(reason: unknown): void;
}

/**
 * Runs a few jobs at once. Keys take turns, so that many jobs of one never stand before the first of another, and no key has
 * more at work than its share: jobs are long, and one that is at work is not put aside for another.
 */
export class FairQueue<Key> {
  readonly #concurrency: number;
  readonly #share: number;
  readonly #runningOf = new Map<Key, number>();
  /** In the order of their turns. A key of which nothing waits is forgotten: clients make keys up. */
  readonly #lines = new Map<Key, Waiting[]>();
  #running = 0;
  #waiting = 0;

  /** @param share jobs of one key at work at once; as many as there is room for unless given */
  constructor(concurrency: number, share = concurrency) {
    this.#concurrency = concurrency;
    this.#share = share;
  }

  /** Jobs that wait, of all keys. */
  get waiting(): number {
    return this.#waiting;
  }

  waitingOf(key: Key): number {
    return this.#lines.get(key)?.length ?? 0;
  }

  /** Begins at once where it can. A job whose signal is aborted leaves the line; once begun, it has to end by itself. */
  async run<T>(key: Key, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#concurrency && this.#mayRun(key)) this.#begin(key);
    else await this.#turn(key, signal);
    try {
      return await job();
    } finally {
      this.#end(key);
      // At once, so that a newcomer cannot overtake the jobs that wait.
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

  /** Rejects all that waits. What runs goes on. */
  giveUp(reason: unknown): void {
    for (const waiting of [...this.#lines.values()].flat()) waiting.giveUp(reason);
    this.#lines.clear();
    this.#waiting = 0;
  }

  #turn(key: Key, signal: AbortSignal | undefined): Promise<void> {
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
        giveUp(reason) {
          left();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      const line = this.#lines.get(key) ?? [];
      this.#lines.set(key, line);
      line.push(waiting);
      this.#waiting++;
    });
  }

  /** The oldest of the first key in line that has less than its share. */
  #next(): { readonly key: Key; readonly waiting: Waiting } | undefined {
    for (const [key, line] of this.#lines) {
      if (!this.#mayRun(key)) continue;
      const waiting = line.shift();
      if (waiting === undefined) continue;
      this.#waiting--;
      // Set again, it is behind all others.
      this.#lines.delete(key);
      if (line.length > 0) this.#lines.set(key, line);
      return { key, waiting };
    }
    return undefined;
  }

  #remove(key: Key, waiting: Waiting): void {
    const line = this.#lines.get(key) ?? [];
    const place = line.indexOf(waiting);
    if (place < 0) return;
    line.splice(place, 1);
    this.#waiting--;
    if (line.length === 0) this.#lines.delete(key);
  }
}
