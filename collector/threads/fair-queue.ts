interface Waiting {
  start(): void;
  giveUp(reason: unknown): void;
}

/** Runs a few jobs at once. Keys take turns, so that many jobs of one never stand before the first of another. */
export class FairQueue<Key> {
  readonly #concurrency: number;
  /** In the order of their turns. A key of which nothing waits is forgotten: clients make keys up. */
  readonly #lines = new Map<Key, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
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
    if (this.#running < this.#concurrency) this.#running++;
    else await this.#turn(key, signal);
    try {
      return await job();
    } finally {
      // Pass the slot on, so that a newcomer cannot overtake the jobs that wait.
      if (this.#waiting > 0) this.#next()?.start();
      else this.#running--;
    }
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

  /** The oldest of the key whose turn it is. */
  #next(): Waiting | undefined {
    const next = this.#lines.entries().next();
    if (next.done) return undefined;
    const [key, line] = next.value;
    const waiting = line.shift();
    this.#waiting--;
    // Set again, it is behind all others.
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    return waiting;
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
