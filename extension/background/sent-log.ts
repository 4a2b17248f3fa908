import type { Sample } from '../../shared/sample/sample.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import type { ResourceType } from '../../shared/vocabulary/vocabulary.ts';
import type { StateStore } from './state-store.ts';

/** Enough to read through, small enough to store. */
const MAX_ROWS = 200;
/** Per type of request and app, for the user's own median. */
const MAX_TIMES = 300;
const MAX_KINDS = 40;
const DAY_MS = 86_400_000;
/** Fewer than this say nothing about what is typical. */
const MIN_TIMES = 6;

/** What users wait for: pages, and the calls of apps that never load another page. */
export const TYPICAL_TYPES: readonly ResourceType[] = ['document', 'fetch'];

/** One sample the collector has stored, as the popup lists it. */
export interface SentRow
  extends Pick<Sample, 'at' | 'target' | 'host' | 'template' | 'type' | 'connection' | 'status'> {
  /** Total time to the last byte, ms; null if unknown. */
  readonly ttlb: number | null;
  /** Made by a probe rather than a page. */
  readonly probe: boolean;
}

export interface SentLogState {
  /** The newest last. */
  readonly rows: readonly SentRow[];
  /** Target and type → epoch ms and µs, the newest last. */
  readonly times: Readonly<Record<string, readonly (readonly [at: number, ttlb: number])[]>>;
}

/** Its part of LocalState. */
interface SentState {
  readonly sent: SentLogState;
}

export interface OwnMedian {
  readonly target: string;
  readonly type: ResourceType;
  /** Milliseconds. */
  readonly median: number;
  readonly n: number;
}

const EMPTY: SentLogState = { rows: [], times: {} };

/** What was sent, kept only on the user's own disk so that they can look at it. */
export class SentLog {
  readonly #state: StateStore<SentState>;

  constructor(state: StateStore<SentState>) {
    this.#state = state;
  }

  async note(samples: readonly Sample[], now: number): Promise<void> {
    const before = (await this.#state.read('sent')) ?? EMPTY;
    const times = new Map(Object.entries(before.times));
    for (const sample of samples) {
      const { ttlb } = sample.times;
      if (ttlb === null || sample.excluded !== null || sample.source !== 'page') continue;
      if (sample.connection === 'cache' || !TYPICAL_TYPES.includes(sample.type)) continue;
      const kind = `${sample.target} ${sample.type}`;
      const known = times.get(kind) ?? [];
      times.delete(kind); // the least recently seen kind is dropped first
      times.set(kind, [...known, [sample.at, ttlb] as const].slice(-MAX_TIMES));
    }
    const recent = [...times]
      .map(([kind, list]) => [kind, list.filter(([at]) => isOfLastDay(at, now))] as const)
      .filter(([, list]) => list.length > 0)
      .slice(-MAX_KINDS);
    const rows = [...before.rows, ...samples.slice(-MAX_ROWS).map(rowOf)].slice(-MAX_ROWS);
    await this.#state.write('sent', { rows, times: Object.fromEntries(recent) });
  }

  /** The newest first. */
  async rows(): Promise<readonly SentRow[]> {
    return [...((await this.#state.read('sent')) ?? EMPTY).rows].reverse();
  }

  /** This browser's own medians of what was sent over the last 24 hours. */
  async medians(now: number): Promise<readonly OwnMedian[]> {
    const { times } = (await this.#state.read('sent')) ?? EMPTY;
    return Object.entries(times).flatMap(([kind, list]) => {
      const values = list.flatMap(([at, ttlb]) => (isOfLastDay(at, now) ? [ttlb] : [])).sort((a, b) => a - b);
      if (values.length < MIN_TIMES) return [];
      const [target = '', type] = kind.split(' ') as [string, ResourceType];
      const median = (values[quantileRank(0.5, values.length)] ?? 0) / 1000;
      return [{ target, type, median, n: values.length }];
    });
  }
}

/** Also true for times ahead of a clock that was set back. */
function isOfLastDay(at: number, now: number): boolean {
  return at > now - DAY_MS;
}

function rowOf({ at, target, host, template, type, connection, status, times, source }: Sample): SentRow {
  const ttlb = times.ttlb === null ? null : times.ttlb / 1000;
  return { at, target, host, template, type, connection, status, ttlb, probe: source !== 'page' };
}
