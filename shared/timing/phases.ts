import { isLiteralAddress, isSecure } from '../redact/http-url.ts';
import { TIME_NAMES, type TimeName } from '../vocabulary/time-names.ts';
import type { Connection, ResponseMark, UnknownReason } from '../vocabulary/vocabulary.ts';
import { isRevalidated } from './cache.ts';
import type { EntryContext } from './entry-context.ts';
import { measureRedirect } from './redirects.ts';
import { markResponse } from './response-mark.ts';
import { type Measured, placeDns, splitSetUp } from './set-up-split.ts';
import { outerProblem, readStamps, type StampProblem, type Stamps, stampProblem } from './stamps.ts';
import { wasTakenOver } from './taken-over.ts';
import type { TimingEntry } from './timing-entry.ts';

export interface PhaseMeasure {
  /** Whole microseconds, never negative; null means unknown. */
  readonly times: Readonly<Record<TimeName, number | null>>;
  /** Exactly one reason for each null time, and none for the others. */
  readonly unknown: Readonly<Partial<Record<TimeName, UnknownReason>>>;
  /** What ended `wait`; null if unknown. */
  readonly responseMark: ResponseMark | null;
  /** Why the stamps cannot be subtracted; every time is null then. */
  readonly problem: StampProblem | null;
}

/**
 * Phases and totals of one entry. `connection` comes from `classifyConnection`.
 *
 * blocked + dns + tcp + tls + wait + receive = ttlb holds exactly, counting null as 0, if each null is `plain_http` (there
 * is no such phase), `merged_h3` (`tls` includes both) or `firefox_dns` (`blocked` includes both). With any other reason the
 * known phases still do not overlap, and their sum is at most ttlb. Never throws.
 */
export function measurePhases(entry: TimingEntry, context: EntryContext, connection: Connection): PhaseMeasure {
  const stamps = readStamps(entry);
  const hiding = hidesPhases(connection, entry);
  const problem = hiding === null ? stampProblem(stamps, context) : outerProblem(stamps, context);
  if (problem !== null) return toMeasure(filled('invalid'), null, problem);

  const ttlb = stamps.responseEnd - stamps.fetchStart;
  if (hiding === 'worker') return toMeasure({ ...filled(hiding), ...workerTimes(stamps, ttlb) }, null, null);
  if (hiding !== null) return toMeasure({ ...filled(hiding), ttlb }, null, null);

  const secure = isSecure(entry.name) || stamps.secureConnectionStart > 0;
  const response = markResponse(entry, stamps, context, connection);
  const clues = { ...context, literalAddress: isLiteralAddress(entry.name) };
  return toMeasure(
    {
      ...(wasTakenOver(entry, stamps, context)
        ? { ...NO_SET_UP, blocked: stamps.requestStart - stamps.fetchStart }
        : {
            blocked: blockedTime(stamps),
            dns: placeDns(stamps, clues),
            ...splitSetUp(stamps, secure, entry.nextHopProtocol, context),
          }),
      wait: response === null ? 'firefox_tls13' : response.at - stamps.requestStart,
      receive: response === null ? 'firefox_tls13' : stamps.responseEnd - response.at,
      redirect: measureRedirect(entry, stamps, context),
      ttfb: response === null ? 'firefox_tls13' : response.at - stamps.fetchStart,
      ttlb,
    },
    response?.mark ?? null,
    null,
  );
}

/**
 * The rest describes page and worker, but what came before the worker had the request is `blocked`, by its first gap: a worker
 * that does not run has to be started. Firefox sets all stamps when the response is there, so nothing was measured.
 */
function workerTimes(stamps: Stamps, ttlb: number): Pick<Record<TimeName, Measured>, 'blocked' | 'ttlb'> {
  const startUp = stamps.domainLookupStart - stamps.fetchStart;
  return { blocked: startUp > 0 && startUp <= ttlb ? startUp : 'worker', ttlb: ttlb > 0 ? ttlb : 'worker' };
}

const NO_SET_UP = { dns: 0, tcp: 0, tls: 0 };

/** The three gaps in which a request waits in a queue. */
function blockedTime(stamps: Stamps): number {
  return (
    stamps.domainLookupStart -
    stamps.fetchStart +
    (stamps.connectStart - stamps.domainLookupEnd) +
    (stamps.requestStart - stamps.connectEnd)
  );
}

/** Classes whose inner stamps are hidden, or describe something other than the network. */
function hidesPhases(connection: Connection, entry: TimingEntry): UnknownReason | null {
  switch (connection) {
    case 'opaque':
    case 'worker':
    case 'failed':
      return connection;
    case 'unknown':
      // Of a prerendered document: the stamps are those of an earlier prefetch.
      return entry.deliveryType === 'navigational-prefetch' ? 'cache' : null;
    case 'cache':
      // A revalidated response (304) went over the network, and its stamps show it.
      return isRevalidated(entry) ? null : 'cache';
    default:
      return null;
  }
}

function filled(reason: UnknownReason): Record<TimeName, Measured> {
  return Object.fromEntries(TIME_NAMES.map((name) => [name, reason])) as Record<TimeName, Measured>;
}

function toMeasure(
  measured: Record<TimeName, Measured>,
  responseMark: ResponseMark | null,
  problem: StampProblem | null,
): PhaseMeasure {
  const times: Partial<Record<TimeName, number | null>> = {};
  const unknown: Partial<Record<TimeName, UnknownReason>> = {};
  for (const name of TIME_NAMES) {
    const value = measured[name];
    times[name] = typeof value === 'number' ? value : null;
    if (typeof value !== 'number') unknown[name] = value;
  }
  return { times: times as Record<TimeName, number | null>, unknown, responseMark, problem };
}
