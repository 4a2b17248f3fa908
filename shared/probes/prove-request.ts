import { classifyConnection } from '../classify/connection.ts';
import { parseHttpUrl } from '../redact/http-url.ts';
import type { EntryContext } from '../timing/entry-context.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import type { DiscardReason } from '../vocabulary/probe-words.ts';
import type { Connection } from '../vocabulary/vocabulary.ts';

/** Share of the first body's size: a page may contain a date or a token, but it must not be a different page. */
export const MAX_SIZE_CHANGE = 0.01;

/** One request of a probe as the browser reported it. */
export interface RequestOutcome {
  readonly entry: TimingEntry | null;
  readonly context: EntryContext;
  /** HTTP status of the last response; null if there was none or it is hidden. */
  readonly status: number | null;
  /** URL of the last response; null if there was none or it is unknown. */
  readonly finalUrl: string | null;
  /** webRequest's error code, `timeout`, or null. */
  readonly error: string | null;
  /** Whether the body contained the text; absent if none was required. */
  readonly textFound?: boolean;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Asked {
  readonly url: string;
  readonly connection: 'new' | 'reused';
  /** Bytes of the first decoded body measured; null before. */
  readonly size: number | null;
}

/**
 * Whether the request's own entry proves that the request was made as intended: null if so, else the first reason why
 * not. A connection is new if connectEnd > connectStart and reused if they are equal, whatever the method promised.
 */
export function proveRequest(outcome: RequestOutcome, asked: Asked): DiscardReason | null {
  return findFault(outcome, asked.url) ?? connectionFault(outcome, asked) ?? sizeFault(outcome, asked);
}

/** What is wrong with the response itself, whatever connection it came over. */
export function findFault({ entry, status, finalUrl, error }: RequestOutcome, url: string): DiscardReason | null {
  if (error === 'timeout') return 'timeout';
  if (error !== null) return `error:${error}`;
  const wanted = parseHttpUrl(url);
  const got = parseHttpUrl(finalUrl ?? entry?.name ?? url);
  const isSecure = (entry?.secureConnectionStart ?? 0) > 0 || got?.scheme === 'https';
  if (wanted?.scheme === 'http' && isSecure) return 'https_upgrade';
  if (got?.origin !== wanted?.origin || got?.pathname !== wanted?.pathname) return 'redirected';
  if (entry !== null && entry.redirectEnd > entry.redirectStart) return 'redirected';
  const answered = status ?? entry?.responseStatus ?? 0;
  if (answered >= 300 && answered < 400 && answered !== 304) return 'redirected';
  if (answered !== 0 && (answered < 200 || answered >= 300)) return `status_${answered}`;
  return entry === null ? 'no_entry' : null;
}

const OTHER: Readonly<Partial<Record<Connection, DiscardReason>>> = {
  cache: 'cache',
  opaque: 'opaque',
  worker: 'worker',
  unknown: 'invalid',
  failed: 'no_entry',
};

/** A lookup without a connect is a connect that took less than a step. */
const BELOW_CLOCK_STEP: ReadonlySet<string> = new Set(['connect_below_clock_step', 'lookup_without_connect']);

function connectionFault({ entry, context }: RequestOutcome, asked: Asked): DiscardReason | null {
  if (entry === null) return 'no_entry';
  const { connection, evidence } = classifyConnection(entry, context);
  if (connection === asked.connection) return null;
  if (BELOW_CLOCK_STEP.has(evidence)) return 'below_clock_step';
  return OTHER[connection] ?? (asked.connection === 'new' ? 'not_new' : 'not_reused');
}

function sizeFault({ entry }: RequestOutcome, { size }: Asked): DiscardReason | null {
  if (size === null || entry === null) return null;
  return Math.abs(entry.decodedBodySize - size) > size * MAX_SIZE_CHANGE ? 'size_changed' : null;
}
