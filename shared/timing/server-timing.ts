import type { Handshake } from '../vocabulary/vocabulary.ts';
import { MAX_METRICS, MAX_TIME } from '../vocabulary/wire-limits.ts';
import type { ServerTimingEntry } from './timing-entry.ts';

/** Metric names that mean "the time the server spent"; the first present is used; case-insensitive. */
export const SERVER_TIME_METRICS = ['total', 'server', 'app', 'origin'] as const;

/** Values of `Server-Timing: tls;desc=…`. `r` and `.` are nginx's `$ssl_session_reused` as it is. */
const TLS_DESCRIPTIONS: Readonly<Record<string, Handshake>> = {
  resumed: 'resumed',
  r: 'resumed',
  full: 'full',
  '.': 'full',
};

/** Coarsest clock of a browser, µs: a request may seem so much shorter than it was. */
const CLOCK_SLACK = 1_000_000;

export interface ServerTimingFacts {
  /** Microseconds; null if the server reports none that can be right. */
  readonly serverTime: number | null;
  /** The server reports a time that cannot be right. */
  readonly refused: boolean;
  /** Allow-listed metrics in the admin's spelling, in the server's own unit. */
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * Reads the server's own metrics. https://www.w3.org/TR/server-timing/#the-performanceservertiming-interface `duration` is 0
 * both for `dur=0` and for no duration, so 0 counts as absent; a server that means 0, or a number that is not a time, writes
 * it as `desc="0"`. Of two metrics with one name the first counts.
 *
 * Some servers write nanoseconds or a point in time. What would have taken longer than the request itself is no server time of
 * this request; a cache may also replay the header of an earlier one.
 *
 * @param longest the time of the request, µs; null if unknown
 */
export function readServerTiming(
  entries: readonly ServerTimingEntry[],
  allowed: readonly string[],
  longest: number | null = null,
): ServerTimingFacts {
  const byName = new Map<string, number>();
  for (const entry of entries) {
    const value = measureOf(entry);
    const name = entry.name.toLowerCase();
    if (value !== null && !byName.has(name)) byName.set(name, value);
  }
  const metrics = new Map<string, number>();
  for (const name of allowed.slice(0, MAX_METRICS)) {
    const value = byName.get(name.toLowerCase());
    if (value !== undefined) metrics.set(name, value);
  }
  const totals = SERVER_TIME_METRICS.flatMap((name) => byName.get(name) ?? []).map((ms) => Math.round(ms * 1000));
  const limit = longest === null ? MAX_TIME : Math.min(longest + CLOCK_SLACK, MAX_TIME);
  const serverTime = totals.find((time) => time <= limit) ?? null;
  return {
    serverTime,
    refused: serverTime === null && (totals.length > 0 || entries.some(isNegative)),
    // Not an object literal: a metric may be called __proto__.
    metrics: Object.fromEntries(metrics),
  };
}

/**
 * The first `tls;desc=resumed` or `tls;desc=full`; null if the server sends neither. A proxy that forwards its backend's
 * header describes the connection between those two.
 */
export function tlsHandshakeToldByServer(entries: readonly ServerTimingEntry[]): Handshake | null {
  for (const { name, description } of entries) {
    const word = description.trim().toLowerCase();
    if (name.toLowerCase() === 'tls' && Object.hasOwn(TLS_DESCRIPTIONS, word)) return TLS_DESCRIPTIONS[word] ?? null;
  }
  return null;
}

function measureOf({ duration, description }: ServerTimingEntry): number | null {
  const value = duration !== 0 ? duration : /^\d+(\.\d+)?$/.test(description) ? Number(description) : Number.NaN;
  return Number.isFinite(value) && value >= 0 && value <= Number.MAX_SAFE_INTEGER / 1000 ? value : null;
}

function isNegative({ name, duration }: ServerTimingEntry): boolean {
  return duration < 0 && (SERVER_TIME_METRICS as readonly string[]).includes(name.toLowerCase());
}
