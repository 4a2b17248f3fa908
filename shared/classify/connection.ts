import { parseHttpUrl } from '../redact/http-url.ts';
import type { Connection } from '../sample/vocabulary.ts';
import type { EntryContext } from '../timing/entry-context.ts';
import { readStamps, type StampProblem, stampProblem } from '../timing/stamps.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import { type CacheEvidence, cacheEvidenceOf } from './cache.ts';

/** Which fact decided a connection class. */
export type ConnectionEvidence =
  | CacheEvidence
  /** webRequest.onErrorOccurred named an error for this request. */
  | 'web_request_error'
  /** Nothing but startTime and responseEnd: how Chromium records a failed fetch. */
  | 'only_start_and_end'
  /** Hidden stamps on the document's own origin, where nothing is hidden from it unless the request failed. */
  | 'same_origin_without_stamps'
  /** workerStart > 0. */
  | 'worker_start'
  /** requestStart 0 beside a responseEnd: cross-origin without Timing-Allow-Origin. */
  | 'hidden_stamps'
  /** connectEnd > connectStart. */
  | 'connect_took_time'
  /** connectEnd = connectStart = fetchStart, which is how the specification writes a reused connection. */
  | 'connect_at_fetch_start'
  /**
   * connectEnd = connectStart, later than fetchStart: Chromium moves the stamps of a preconnected socket to where the
   * request began to wait for it. The request paid for no connection, or for less than a clock step.
   */
  | 'connect_took_no_time'
  /** A lookup took time and the connect none: a connection below the clock step, or somebody else's. */
  | 'lookup_without_connect'
  | `stamps_${StampProblem}`;

export interface ConnectionFinding {
  readonly connection: Connection;
  readonly evidence: ConnectionEvidence;
}

/**
 * How the request got its connection, and by which fact. The first rule that applies decides; never throws.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-connectstart: a reused connection has its
 * connect stamps equal to fetchStart, not 0. Preconnected sockets look reused.
 */
export function classifyConnection(entry: TimingEntry, context: EntryContext): ConnectionFinding {
  if ((context.error ?? null) !== null) return { connection: 'failed', evidence: 'web_request_error' };
  if (entry.workerStart > 0) return { connection: 'worker', evidence: 'worker_start' };
  if (hasHiddenStamps(entry)) return classifyHidden(entry, context);
  const cache = cacheEvidenceOf(entry);
  if (cache !== null) return { connection: 'cache', evidence: cache };
  const stamps = readStamps(entry);
  const problem = stampProblem(stamps, context);
  if (problem !== null) return { connection: 'unknown', evidence: `stamps_${problem}` };
  if (stamps.connectEnd > stamps.connectStart) return { connection: 'new', evidence: 'connect_took_time' };
  if (stamps.domainLookupEnd > stamps.domainLookupStart) {
    return { connection: 'unknown', evidence: 'lookup_without_connect' };
  }
  const evidence = stamps.connectEnd === stamps.fetchStart ? 'connect_at_fetch_start' : 'connect_took_no_time';
  return { connection: 'reused', evidence };
}

function hasHiddenStamps(entry: TimingEntry): boolean {
  return entry.requestStart === 0 && entry.responseStart === 0 && entry.connectEnd === 0 && entry.responseEnd > 0;
}

function classifyHidden(entry: TimingEntry, context: EntryContext): ConnectionFinding {
  const cache = cacheEvidenceOf(entry);
  if (cache !== null) return { connection: 'cache', evidence: cache };
  if (entry.fetchStart === 0 && entry.startTime > 0) return { connection: 'failed', evidence: 'only_start_and_end' };
  const documentOrigin = context.documentOrigin ?? null;
  const answered = (entry.responseStatus ?? 0) > 0;
  if (!answered && documentOrigin !== null && parseHttpUrl(entry.name)?.origin === documentOrigin) {
    return { connection: 'failed', evidence: 'same_origin_without_stamps' };
  }
  return { connection: 'opaque', evidence: 'hidden_stamps' };
}
