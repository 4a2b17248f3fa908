import type { EntryContext } from './entry-context.ts';
import { isHttp3 } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';
import type { TimingEntry } from './timing-entry.ts';

/** Two rounded stamps that are equal are less than a step apart: a handshake of so many cannot hide between them, steps. */
const TELLING_STEPS = 2;

/**
 * Whether Firefox gave the request an old connection while it looked up the name, or made a connection, for a new one: what
 * of these is stamped is not the request's own. All of it was waiting for a free connection.
 *
 * Of that other connection TLS is never stamped, so it begins with the connect. HTTP/3 looks alike, so may what hides its
 * protocol, and so does a TCP handshake below the clock's step: only where others with that origin took longer is it none.
 */
export function wasTakenOver({ nextHopProtocol }: TimingEntry, stamps: Stamps, context: EntryContext): boolean {
  const { domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart, connectEnd } = stamps;
  if (context.engine !== 'firefox' || secureConnectionStart === 0) return false;
  // No handshake of TLS fits between two equal stamps.
  if (connectEnd === connectStart) return domainLookupEnd > domainLookupStart;
  if (secureConnectionStart > connectStart || nextHopProtocol === '' || isHttp3(nextHopProtocol)) return false;
  return (context.leastTcpMs ?? 0) >= TELLING_STEPS * context.clockStepMs;
}
