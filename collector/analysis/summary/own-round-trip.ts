import type { Sample } from '../../../shared/sample/sample.ts';
import { isHttp3 } from '../../../shared/timing/set-up-split.ts';

/**
 * One round trip as this request saw it: `tcp` of a new connection, µs. null on HTTP/3, which combines TCP and TLS, and
 * if the handshake took no time at all (a preconnected socket, 0-RTT).
 */
export function ownRoundTrip(sample: Sample): number | null {
  if (sample.connection !== 'new' || isHttp3(sample.protocol ?? '')) return null;
  const { tcp, tls } = sample.times;
  if (tcp === null || tcp === 0 || (sample.scheme === 'https' && (tls === null || tls === 0))) return null;
  return tcp;
}

/**
 * µs. The wait for the final response, if one exchange, from which a round trip can be subtracted. null on HTTP/3,
 * whose packets network equipment may handle differently, and after Early Hints, which show that the server had begun.
 */
export function dividableWait(sample: Sample): number | null {
  const { responseMark, protocol, times } = sample;
  return responseMark === 'final_response_headers' || isHttp3(protocol ?? '') ? null : times.wait;
}

/**
 * What remains of the wait after one round trip: `wait` − `tcp` of the same new connection, µs, paired so that a slow
 * path cancels. Negative if the wait was shorter, and not clamped: that would shift the median. null if either is
 * unknown (an uncorrected Firefox stamp, HTTP/3, 0-RTT, Early Hints).
 */
export function toServerShare(sample: Sample): number | null {
  const roundTrip = ownRoundTrip(sample);
  const wait = dividableWait(sample);
  return roundTrip === null || wait === null ? null : wait - roundTrip;
}
