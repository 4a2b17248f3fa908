import { MAX_TIME } from '../vocabulary/wire-limits.ts';
import type { EntryContext } from './entry-context.ts';
import type { TimingEntry } from './timing-entry.ts';

type StampName = Exclude<Extract<keyof TimingEntry, `${string}${'Start' | 'End'}`>, 'activationStart'>;

/**
 * The stamps of an entry as whole microseconds, 0 if the browser has or reports none. They are rounded before subtracting:
 * differences of rounded stamps add up exactly, rounded differences would not. `fetchStart` is `beganAt`, the entry's own
 * except with a service worker.
 */
export type Stamps = Readonly<Record<'start' | StampName, number>>;

/** Milliseconds to whole microseconds. */
export function toMicroseconds(milliseconds: number): number {
  // + 0 turns -0 into 0.
  return Math.round(milliseconds * 1000) + 0;
}

export function readStamps(entry: TimingEntry): Stamps {
  return {
    start: toMicroseconds(entry.startTime),
    redirectStart: toMicroseconds(entry.redirectStart),
    redirectEnd: toMicroseconds(entry.redirectEnd),
    workerStart: toMicroseconds(entry.workerStart),
    fetchStart: toMicroseconds(beganAt(entry)),
    domainLookupStart: toMicroseconds(entry.domainLookupStart),
    domainLookupEnd: toMicroseconds(entry.domainLookupEnd),
    connectStart: toMicroseconds(entry.connectStart),
    secureConnectionStart: toMicroseconds(entry.secureConnectionStart),
    connectEnd: toMicroseconds(entry.connectEnd),
    requestStart: toMicroseconds(entry.requestStart),
    responseStart: toMicroseconds(entry.responseStart),
    finalResponseHeadersStart: toMicroseconds(entry.finalResponseHeadersStart ?? 0),
    responseEnd: toMicroseconds(entry.responseEnd),
  };
}

/**
 * When the fetch began, ms: where the specification has fetchStart. With a service worker, Chromium sets fetchStart only once
 * the worker runs, which may have had to be started first; a navigation's startTime lies before its redirects.
 * https://www.w3.org/TR/resource-timing/#dom-performanceresourcetiming-workerstart
 */
export function beganAt(entry: TimingEntry): number {
  // A failed fetch in Chromium may have only startTime and responseEnd.
  if (entry.fetchStart === 0) return entry.startTime;
  if (!(entry.workerStart > 0)) return entry.fetchStart;
  const asked = entry.entryType === 'navigation' ? entry.workerStart : entry.redirectEnd || entry.startTime;
  return Math.min(entry.fetchStart, asked);
}

export type StampProblem = 'not_a_time' | 'negative' | 'missing' | 'out_of_order' | 'in_the_future' | 'too_long';

/**
 * Why the start and end of an entry cannot be subtracted; null if they can. Sufficient for entries whose inner stamps are
 * hidden or do not describe the network.
 */
export function outerProblem(stamps: Stamps, context: EntryContext): StampProblem | null {
  const all = Object.values(stamps) as number[];
  if (!all.every(Number.isFinite) || !Number.isFinite(context.timeOrigin)) return 'not_a_time';
  if (all.some((stamp) => stamp < 0) || context.timeOrigin < 0) return 'negative';
  if (stamps.responseEnd === 0) return 'missing';
  if (stamps.start > stamps.fetchStart || stamps.fetchStart > stamps.responseEnd) return 'out_of_order';
  if (stamps.responseEnd - stamps.start > MAX_TIME) return 'too_long';
  // https://github.com/GoogleChrome/web-vitals/issues/137 and 162: stamps later than "now" do occur.
  const seenAt = context.seenAt ?? null;
  if (seenAt !== null && stamps.responseEnd > toMicroseconds(seenAt + context.clockStepMs)) return 'in_the_future';
  return null;
}

/**
 * Why the stamps of a network request cannot be subtracted; null if they are in the order of
 * https://www.w3.org/TR/resource-timing/#sec-performanceresourcetiming (figure "processing model"). Nothing is clamped.
 * Early data and False Start are in order: connectEnd is when the request can be sent.
 */
export function stampProblem(stamps: Stamps, context: EntryContext): StampProblem | null {
  const outer = outerProblem(stamps, context);
  if (outer !== null) return outer;
  if (stamps.requestStart === 0 || stamps.responseStart === 0) return 'missing';
  const order = [
    stamps.fetchStart,
    stamps.domainLookupStart,
    stamps.domainLookupEnd,
    stamps.connectStart,
    ...(stamps.secureConnectionStart > 0 ? [stamps.secureConnectionStart] : []),
    stamps.connectEnd,
    stamps.requestStart,
    stamps.responseStart,
    ...(stamps.finalResponseHeadersStart > 0 ? [stamps.finalResponseHeadersStart] : []),
    stamps.responseEnd,
  ];
  return isAscending(order) && isRedirectInOrder(stamps) ? null : 'out_of_order';
}

function isRedirectInOrder({ start, redirectStart, redirectEnd, fetchStart }: Stamps): boolean {
  if (redirectStart === 0 && redirectEnd === 0) return true;
  return isAscending([start, redirectStart, redirectEnd, fetchStart]);
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value));
}
