import type { EntryContext } from './entry-context.ts';
import type { Stamps } from './stamps.ts';

/**
 * Firefox 153 sometimes stamps connectStart, and the lookup with it, after secureConnectionStart: the first requests of a
 * page take over connections that were begun a moment before, and get their own stamps of what is already under way. Seen
 * in 0.2 to 4 % of the new connections of pages that opened six at once without network delay, by 1 to 8 ms; not with a round trip of
 * 40 ms. When TCP began is then unknown; from secureConnectionStart on the stamps are right.
 */
export function isSetUpLate(stamps: Stamps, { engine }: EntryContext): boolean {
  const { domainLookupStart, domainLookupEnd, connectStart, secureConnectionStart } = stamps;
  const last = Math.max(domainLookupStart, domainLookupEnd, connectStart);
  return engine === 'firefox' && secureConnectionStart > 0 && last > secureConnectionStart;
}
