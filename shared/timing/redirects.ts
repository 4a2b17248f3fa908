import type { EntryContext } from './entry-context.ts';
import type { Measured } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';
import type { TimingEntry } from './timing-entry.ts';

/**
 * Time of the redirects before `fetchStart`, µs. Browsers only show it if every hop was same-origin; a navigation via
 * another origin has redirectStart 0 and redirectCount 0, and the time is a gap before fetchStart that may equally be the
 * browser's own start-up. That gap is never attributed to the server: unless a redirect can be ruled out, the result is
 * null. https://www.w3.org/TR/navigation-timing-2/#dom-performancenavigationtiming-redirectcount
 */
export function measureRedirect(entry: TimingEntry, stamps: Stamps, context: EntryContext): Measured {
  if (stamps.redirectEnd > 0) return stamps.redirectEnd - stamps.redirectStart;
  const observed = context.observed?.redirects;
  if (observed === 0) return 0;
  if (observed !== undefined || (entry.redirectCount ?? 0) > 0) return 'hidden_redirect';
  // A resource's stamps are all hidden if one hop was cross-origin without Timing-Allow-Origin; here they are not.
  if (entry.entryType === 'resource') return 0;
  return stamps.fetchStart - stamps.start > context.clockStepMs * 1000 ? 'hidden_redirect' : 0;
}

/** The request that was measured is not the original one, but the target of a redirect. */
export function wasRedirected(entry: TimingEntry, context: EntryContext): boolean {
  return entry.redirectStart > 0 || (entry.redirectCount ?? 0) > 0 || (context.observed?.redirects ?? 0) > 0;
}
