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
