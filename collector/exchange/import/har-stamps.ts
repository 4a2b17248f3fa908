import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { TIME_NAMES, type TimeName } from '../../../shared/vocabulary/time-names.ts';
import { type Json, numberAt } from './har-values.ts';

/** The first timestamp, ms: 0 would mean "hidden". */
const START = 1;
/** Slack for seven whole milliseconds, each rounded by up to a half. */
const WHOLE_MS_SLACK = 3.5;
/** Slack for fractional values, ms. */
const FRACTION_SLACK = 0.1;

const PARTS = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'] as const;

export type HarStamps = Pick<
  TimingEntry,
  | 'startTime'
  | 'fetchStart'
  | 'domainLookupStart'
  | 'domainLookupEnd'
  | 'connectStart'
  | 'secureConnectionStart'
  | 'connectEnd'
  | 'requestStart'
  | 'responseStart'
  | 'responseEnd'
>;

export interface HarEntryFacts {
  /** The entry's `time`; null if absent. */
  readonly time: number | null;
  readonly secure: boolean;
  /** An ALPN id; null if absent. */
  readonly protocol: string | null;
  /** The producer, such as Playwright, adds `ssl` to `time` although `connect` includes it. */
  readonly sslTwiceInTime: boolean;
}

export interface ReadHarStamps {
  readonly stamps: HarStamps;
  /** Times for which the timestamps had to assume something that the entry does not state. */
  readonly notRecorded: readonly TimeName[];
  /** Nothing in the entry says how the request got its connection. */
  readonly bare: boolean;
}

/**
 * HAR's durations as the timestamps of a browser, so that the same code handles both:
 * blocked → dns → connect (ssl is its end) → send → wait → receive.
 * http://www.softwareishard.com/blog/har-12-spec/#timings
 *
 * Nothing is corrected here: a negative duration gives timestamps out of order, which the core treats as invalid.
 */
export function harStamps(timings: Json, facts: HarEntryFacts): ReadHarStamps {
  const { secure, protocol } = facts;
  const parts = readParts(timings, facts);
  const { blocked, dns, connect, ssl, send, wait, receive } = parts;

  const known = (value: number | null) => value ?? 0;
  const rest = unattributedTime(timings, parts, facts);
  const waited = known(blocked) + (wait === null || receive === null ? 0 : rest);
  const reused = known(dns) === 0 && known(connect) === 0;
  // For a reused connection, the specification puts all of its timestamps at fetchStart; the blocked time follows.
  const lookupStart = START + (reused ? 0 : waited);
  const lookupEnd = lookupStart + known(dns);
  const connectEnd = lookupEnd + known(connect);
  const requestStart = connectEnd + (reused ? waited : 0);
  const responseStart = requestStart + known(send) + (wait ?? rest);
  // The whole connect is TLS on HTTP/3, or if TCP had finished before. Without a protocol they cannot be distinguished.
  const undivided = ssl === null || (protocol === null && ssl === connect);
  return {
    stamps: {
      startTime: START,
      fetchStart: START,
      domainLookupStart: lookupStart,
      domainLookupEnd: lookupEnd,
      connectStart: lookupEnd,
      secureConnectionStart: secure && (reused || !undivided) ? connectEnd - known(ssl) : 0,
      connectEnd,
      requestStart,
      responseStart,
      responseEnd: responseStart + (receive ?? (wait === null ? 0 : rest)),
    },
    notRecorded: unrecordedTimes(parts, rest, facts),
    bare: reused && (isEmpty(parts, rest) || (wait === null && receive === null)),
  };
}

function unrecordedTimes(parts: Parts, rest: number, { time }: HarEntryFacts): readonly TimeName[] {
  const { blocked, wait, receive } = parts;
  // No request takes no time at all: the tool writes 0 for what it does not know.
  if (isEmpty(parts, rest)) return TIME_NAMES.filter((name) => name !== 'redirect');
  if (wait !== null && receive !== null) {
    // The rest of `time` may lie before the first byte or after it.
    return rest > 0 ? ['blocked', 'ttfb'] : [];
  }
  const whole = time !== null && time >= sumOf(parts) - slackOf(parts, time);
  return [
    ...(wait === null && receive === null && blocked === null ? (['blocked'] as const) : []),
    ...(wait === null ? (['wait', 'ttfb'] as const) : []),
    ...(receive === null ? (['receive'] as const) : []),
    ...(whole ? [] : (['ttlb'] as const)),
  ];
}

function isEmpty(parts: Parts, rest: number): boolean {
  return rest === 0 && PARTS.every((name) => (parts[name] ?? 0) === 0);
}

interface Parts extends Readonly<Record<(typeof PARTS)[number], number | null>> {
  /** The end of `connect`. */
  readonly ssl: number | null;
}

/**
 * `connect` including `ssl`, as in the specification. Some tools, such as Firefox, exclude it: then the sum with `ssl` is
 * the entry's `time`.
 */
function readParts(timings: Json, facts: HarEntryFacts): Parts {
  const parts = Object.fromEntries(PARTS.map((name) => [name, numberAt(timings, name)])) as Omit<Parts, 'ssl'>;
  const { connect } = parts;
  const ssl = numberAt(timings, 'ssl');
  // Without TLS there is no handshake, although Playwright writes one.
  if (!facts.secure || connect === null || ssl === null) return { ...parts, ssl: null };
  if (ssl > connect || isExcluded(ssl, parts, facts)) return { ...parts, connect: connect + ssl, ssl };
  return { ...parts, ssl };
}

function isExcluded(ssl: number, parts: Omit<Parts, 'ssl'>, { time, sslTwiceInTime }: HarEntryFacts): boolean {
  if (time === null || sslTwiceInTime || ssl === 0) return false;
  return Math.abs(sumOf(parts) + ssl - time) <= slackOf(parts, time);
}

/**
 * The part of `time` beyond the durations, ms. The specification defines `time` as their sum; Safari and proxies measure
 * it from start to end, and have no duration for the gaps in between.
 */
function unattributedTime(timings: Json, parts: Parts, { time, secure, sslTwiceInTime }: HarEntryFacts): number {
  if (time === null) return 0;
  const extraSsl = !secure || sslTwiceInTime ? Math.max(0, numberAt(timings, 'ssl') ?? 0) : 0;
  const rest = time - sumOf(parts) - extraSsl;
  return rest > slackOf(parts, time) ? rest : 0;
}

function sumOf(parts: Omit<Parts, 'ssl'>): number {
  return PARTS.reduce((sum, name) => sum + (parts[name] ?? 0), 0);
}

function slackOf(parts: Omit<Parts, 'ssl'>, time: number): number {
  return [time, ...PARTS.map((name) => parts[name] ?? 0)].every(Number.isInteger) ? WHOLE_MS_SLACK : FRACTION_SLACK;
}
