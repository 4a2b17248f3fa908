import type { Sample } from '../../../shared/sample/sample.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';

/**
 * One round trip as this request saw it: `tcp` of a new connection, µs. null on HTTP/3, where TCP and TLS are one
 * exchange, and where the handshake took no time at all (a socket opened in advance, 0-RTT).
 */
export function ownRoundTrip(sample: Sample): number | null {
  if (sample.connection !== 'new' || isHttp3(sample.protocol ?? '')) return null;
  const { tcp, tls } = sample.times;
  if (tcp === null || tcp === 0 || (sample.scheme === 'https' && (tls === null || tls === 0))) return null;
  return tcp;
}

/**
 * The wait for the final answer in one exchange, µs: what a round trip can be taken from. null on HTTP/3, whose packets take
 * another path through the network's machines, and after Early Hints, which show that the server had begun to answer.
 */
export function dividableWait(sample: Sample): number | null {
  const { responseMark, protocol, times } = sample;
  return responseMark === 'final_response_headers' || isHttp3(protocol ?? '') ? null : times.wait;
}

/**
 * What is left of the wait after one round trip: `wait` − `tcp` of the same new connection, µs, paired so that a slow
 * path cancels. Negative where the wait was the shorter of the two, and kept so: cutting at 0 would move the median.
 * null where either is unknown (an uncorrected Firefox stamp, HTTP/3, 0-RTT, Early Hints).
 */
export function serverShareOf(sample: Sample): number | null {
  const roundTrip = ownRoundTrip(sample);
  const wait = dividableWait(sample);
  return roundTrip === null || wait === null ? null : wait - roundTrip;
}
