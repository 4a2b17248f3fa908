import type { TimingEntry } from '../../shared/timing/timing-entry.ts';
import { type Json, numberAt } from './har-values.ts';

/** Stamps that are 0 mean "hidden", so nothing begins there, ms. */
const START = 1;

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

/**
 * HAR's durations as the stamps a browser would have had, so that the same code judges both:
 * blocked → dns → connect (ssl is its end) → send → wait → receive.
 * http://www.softwareishard.com/blog/har-12-spec/#timings
 *
 * Nothing is put right here: a negative duration gives stamps out of order, which the core calls invalid.
 */
export function harStamps(timings: Json, time: number | null, secure: boolean): HarStamps {
  const [blocked, dns, send, wait, receive] = ['blocked', 'dns', 'send', 'wait', 'receive'].map((name) =>
    numberAt(timings, name),
  );
  // Without TLS there is no handshake, whatever is written: Playwright writes one.
  const { connect, ssl } = secure ? readConnect(timings, time) : { connect: numberAt(timings, 'connect'), ssl: null };
  const known = (value: number | null | undefined) => value ?? 0;
  if (wait === null || receive === null) return onlyStartAndEnd(time);

  const reused = known(dns) === 0 && known(connect) === 0;
  // As the specification writes a reused connection: everything at fetchStart, the waiting after it.
  const lookupStart = START + (reused ? 0 : known(blocked));
  const lookupEnd = lookupStart + known(dns);
  const connectEnd = lookupEnd + known(connect);
  const requestStart = connectEnd + (reused ? known(blocked) : 0);
  const responseStart = requestStart + known(send) + known(wait);
  return {
    startTime: START,
    fetchStart: START,
    domainLookupStart: lookupStart,
    domainLookupEnd: lookupEnd,
    connectStart: lookupEnd,
    secureConnectionStart: secure && (reused || ssl !== null) ? connectEnd - known(ssl) : 0,
    connectEnd,
    requestStart,
    responseStart,
    responseEnd: responseStart + known(receive),
  };
}

/**
 * `connect` with `ssl` in it, as the specification wants it. Some tools, Firefox among them, write `ssl` beside it: then the
 * sum with it is the entry's `time`.
 */
function readConnect(timings: Json, time: number | null): { connect: number | null; ssl: number | null } {
  const connect = numberAt(timings, 'connect');
  const ssl = numberAt(timings, 'ssl');
  if (connect === null || ssl === null || ssl === 0) return { connect, ssl: connect === null ? null : ssl };
  if (ssl > connect) return { connect: connect + ssl, ssl };
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map((name) => numberAt(timings, name) ?? 0);
  const sum = parts.reduce((total, part) => total + part, 0);
  const beside = time !== null && Math.abs(sum + ssl - time) < Math.abs(sum - time);
  return { connect: beside ? connect + ssl : connect, ssl };
}

/** How a browser shows a request whose times it hides. */
function onlyStartAndEnd(time: number | null): HarStamps {
  return {
    startTime: START,
    fetchStart: START,
    domainLookupStart: 0,
    domainLookupEnd: 0,
    connectStart: 0,
    secureConnectionStart: 0,
    connectEnd: 0,
    requestStart: 0,
    responseStart: 0,
    responseEnd: START + (time ?? 0),
  };
}
