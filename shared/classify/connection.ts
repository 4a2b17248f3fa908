import { parseHttpUrl } from '../redact/http-url.ts';
import { readCacheEvidence } from '../timing/cache.ts';
import type { EntryContext } from '../timing/entry-context.ts';
import { readStamps, stampProblem } from '../timing/stamps.ts';
import { wasTakenOver } from '../timing/taken-over.ts';
import type { TimingEntry } from '../timing/timing-entry.ts';
import type { Connection, ConnectionEvidence } from '../vocabulary/vocabulary.ts';

export interface ConnectionFinding {
  readonly connection: Connection;
  readonly evidence: ConnectionEvidence;
}

/**
 * How the request got its connection, and which fact shows it. The first matching rule decides; never throws.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-connectstart: on a reused connection the connect
 * stamps equal fetchStart, not 0. Preconnected sockets look reused.
 */
export function classifyConnection(entry: TimingEntry, context: EntryContext): ConnectionFinding {
  if ((context.error ?? null) !== null) return { connection: 'failed', evidence: 'web_request_error' };
  if (entry.workerStart > 0) return { connection: 'worker', evidence: 'worker_start' };
  if (hasHiddenStamps(entry)) return classifyHidden(entry, context);
  if (isFirefoxWorkerAnswer(entry, context)) return { connection: 'worker', evidence: 'answer_without_transfer' };
  if (hasNoAnswer(entry, context)) return { connection: 'failed', evidence: 'no_answer' };
  const cache = readCacheEvidence(entry);
  if (cache !== null) return fromCache(cache, entry, context);
  const stamps = readStamps(entry);
  const problem = stampProblem(stamps, context);
  if (problem !== null) return { connection: 'unknown', evidence: `stamps_${problem}` };
  if (wasTakenOver(entry, stamps, context)) return { connection: 'reused', evidence: 'taken_over' };
  if (stamps.connectEnd > stamps.connectStart) return { connection: 'new', evidence: 'connect_took_time' };
  if (stamps.domainLookupEnd > stamps.domainLookupStart) {
    return { connection: 'unknown', evidence: 'lookup_without_connect' };
  }
  if (stamps.connectEnd === stamps.fetchStart) return { connection: 'reused', evidence: 'connect_at_fetch_start' };
  // TLS takes longer than a clock step; a TCP handshake alone may not.
  return context.engine === 'firefox' && stamps.secureConnectionStart === 0
    ? { connection: 'unknown', evidence: 'connect_below_clock_step' }
    : { connection: 'reused', evidence: 'connect_took_no_time' };
}

/** A prerendered document was fetched ahead, by a connection that nothing tells of: no cache spared its user anything. */
function fromCache(evidence: ConnectionEvidence, entry: TimingEntry, context: EntryContext): ConnectionFinding {
  const isAhead = evidence === 'navigational_prefetch' && isPrerendered(entry, context);
  return { connection: isAhead ? 'unknown' : 'cache', evidence };
}

function hasHiddenStamps(entry: TimingEntry): boolean {
  return entry.requestStart === 0 && entry.responseStart === 0 && entry.connectEnd === 0 && entry.responseEnd > 0;
}

function classifyHidden(entry: TimingEntry, context: EntryContext): ConnectionFinding {
  const cache = readCacheEvidence(entry);
  // Hidden stamps hide transferSize too: Firefox shows the body size of a CORS response together with a meaningless 0.
  if (cache !== null && cache !== 'body_without_transfer') return fromCache(cache, entry, context);
  if (entry.fetchStart === 0 && entry.startTime > 0) return { connection: 'failed', evidence: 'only_start_and_end' };
  const answered = (entry.responseStatus ?? 0) > 0;
  // A known webRequest error would have decided above, but it may have been lost.
  if (!answered && isOwnOrigin(entry, context)) {
    return { connection: 'unknown', evidence: 'same_origin_without_stamps' };
  }
  return { connection: 'opaque', evidence: 'hidden_stamps' };
}

function isFirefoxWorkerAnswer(entry: TimingEntry, context: EntryContext): boolean {
  return (
    context.engine === 'firefox' &&
    entry.nextHopProtocol === '' &&
    entry.transferSize === 0 &&
    entry.encodedBodySize === 0 &&
    (entry.responseStatus ?? 0) > 0 &&
    entry.responseStart === entry.fetchStart
  );
}

function hasNoAnswer(entry: TimingEntry, context: EntryContext): boolean {
  const nothing = entry.responseStatus === 0 && entry.transferSize === 0 && entry.encodedBodySize === 0;
  return nothing && entry.redirectStart === 0 && isOwnOrigin(entry, context);
}

function isOwnOrigin(entry: TimingEntry, { documentOrigin = null }: EntryContext): boolean {
  return documentOrigin !== null && parseHttpUrl(entry.name)?.origin === documentOrigin;
}

/**
 * Fetched before a prerendered page was shown: no one waited for it. A page that is never shown makes no samples.
 * https://wicg.github.io/nav-speculation/prerendering.html#performance-navigation-timing-extension
 */
export function isPrerendered(entry: TimingEntry, context: EntryContext): boolean {
  if (entry.navigationType === 'prerender' || (entry.activationStart ?? 0) > 0) return true;
  return entry.startTime < (context.activationStart ?? 0);
}
