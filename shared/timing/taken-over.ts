import type { EntryContext } from './entry-context.ts';
import { isHttp3 } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';
import type { TimingEntry } from './timing-entry.ts';

/** Two equal rounded stamps are less than a step apart, so a handshake of this many steps cannot hide between them. */
const TELLING_STEPS = 2;

/**
 * Whether Firefox gave the request an existing connection while it was looking up the name, or opening a connection, for a
 * new one; those stamps are not the request's own, and all of that time was waiting for a free connection.
 *
 * TLS of that other connection is never stamped, so secureConnectionStart equals connectStart. HTTP/3 looks the same, a
 * hidden protocol may be HTTP/3, and so does a TCP handshake below the clock's step: it is only ruled out if other
 * handshakes with that origin took longer.
 */
export function wasTakenOver({ nextHopProtocol }: TimingEntry, stamps: Stamps, context: EntryContext): boolean {
  const { domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart, connectEnd } = stamps;
  if (context.engine !== 'firefox' || secureConnectionStart === 0) return false;
  // A TLS handshake cannot fit between two equal stamps.
  if (connectEnd === connectStart) return domainLookupEnd > domainLookupStart;
  if (secureConnectionStart > connectStart || nextHopProtocol === '' || isHttp3(nextHopProtocol)) return false;
  return (context.leastTcpMs ?? 0) >= TELLING_STEPS * context.clockStepMs;
}
