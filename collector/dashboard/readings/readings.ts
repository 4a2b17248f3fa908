import { ApiError, UnreachableError } from '../api/api-error.ts';
import type { Read, Reading } from './reading.ts';
import { createSource, type Source } from './source.ts';

/** Values kept for going back, so that "back" shows at once what was there. */
const KEPT = 80;
/** A value younger than this is not read again when its view is opened once more, ms. */
const FRESH_FOR = 10_000;
/** A reading that took long is repeated less often: it rests this many times as long as it took. */
const REST_FACTOR = 20;

export interface Watch {
  refresh(): void;
  cancel(): void;
  /** The reading is given up when nobody watches it any more; its last value is kept. */
  stop(): void;
}

/** How all that is on the page stands together. */
export interface Overall {
  readonly loading: boolean;
  /** When the oldest value shown was read, epoch ms; null while there is none. */
  readonly oldest: number | null;
  /** What is shown is older than it should be, or nobody answers; a part that never was there says so in its place. */
  readonly failed: boolean;
  /** Of the first of them. */
  readonly error: unknown;
  /** An answer said that nobody is signed in. */
  readonly denied: boolean;
}

/** All readings of the page, by key. Two panels with one key share one request. */
export interface Readings {
  watch<Value>(key: string, read: Read<Value>, changed: (reading: Reading<Value>) => void): Watch;
  /** Reads what is about to be watched; whoever watches it then finds it begun. */
  ahead(key: string, read: Read<unknown>): void;
  overall(): Overall;
  /** Reads again what is on the page: all of it, what has rested long enough, or what failed. */
  refresh(which: 'all' | 'rested' | 'failed'): void;
  /** Forgets every value: somebody else may sign in. */
  forget(): void;
}

export function createReadings(now: () => number, changed: () => void): Readings {
  const sources = new Map<string, Source>();

  function sourceOf(key: string): Source {
    const known = sources.get(key);
    const source = known ?? createSource(now, changed);
    // The most recently watched are kept longest.
    sources.delete(key);
    sources.set(key, source);
    for (const [other, { watched }] of sources) {
      if (sources.size <= KEPT) break;
      if (!watched && other !== key) sources.delete(other);
    }
    return source;
  }

  const shown = () => [...sources.values()].filter(({ watched }) => watched);

  return {
    watch<Value>(key: string, read: Read<Value>, listener: (reading: Reading<Value>) => void) {
      const source = sourceOf(key);
      const age = source.last === null ? Number.POSITIVE_INFINITY : now() - source.last.at;
      // What took long to read is not asked for again by looking at another page and coming back.
      const rest = source.reading.kind === 'ready' ? source.took * REST_FACTOR : 0;
      const begun = source.watched || source.reading.kind === 'loading';
      const wanted = !begun && age > Math.max(FRESH_FOR, rest);
      const listen = (reading: Reading<unknown>) => listener(reading as Reading<Value>);
      source.listen(listen, read);
      if (wanted) source.start();
      else listen(source.reading);
      return {
        refresh: () => source.start(),
        cancel: () => source.cancel(),
        stop: () => source.unlisten(listen),
      };
    },
    ahead: (key, read) => sourceOf(key).ahead(read),
    overall() {
      const all = shown();
      const times = all.flatMap(({ last }) => (last === null ? [] : [last.at]));
      const failed = all.flatMap(({ reading }) => (reading.kind === 'failed' ? [reading] : []));
      const stale = failed.filter(({ error, last }) => last !== null || error instanceof UnreachableError);
      return {
        loading: all.some(({ reading }) => reading.kind === 'loading'),
        oldest: times.length === 0 ? null : Math.min(...times),
        failed: stale.length > 0,
        error: stale[0]?.error,
        denied: failed.some(({ error }) => error instanceof ApiError && error.status === 401),
      };
    },
    refresh(which) {
      for (const source of shown()) {
        const { kind, last } = source.reading;
        if (kind === 'loading') continue;
        const rested = kind === 'ready' && now() - last.at >= source.took * REST_FACTOR;
        if (which === 'all' || kind === 'failed' || (which === 'rested' && rested)) source.start();
      }
    },
    forget() {
      for (const source of sources.values()) source.end();
      sources.clear();
    },
  };
}
