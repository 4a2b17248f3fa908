import type { EntryContext } from './entry-context.ts';
import type { Measured } from './set-up-split.ts';
import type { Stamps } from './stamps.ts';
import type { TimingEntry } from './timing-entry.ts';

/**
 * Time of the redirects before `fetchStart`, µs. Browsers show it only where every hop was of the same origin; a
 * navigation that came over another origin shows redirectStart 0 and redirectCount 0, and the time is a gap before
 * fetchStart that may as well be the browser's own start-up. That gap is never given to the server: without proof
 * that there was no redirect it is null.
 * https://www.w3.org/TR/navigation-timing-2/#dom-performancenavigationtiming-redirectcount
 */
export function measureRedirect(entry: TimingEntry, stamps: Stamps, context: EntryContext): Measured {
  if (stamps.redirectEnd > 0) return stamps.redirectEnd - stamps.redirectStart;
  const observed = context.observed?.redirects;
  if (observed === 0) return 0;
  if (observed !== undefined || (entry.redirectCount ?? 0) > 0) return 'hidden_redirect';
  // A resource's stamps are all hidden if one hop was of another origin without Timing-Allow-Origin; here they are not.
  if (entry.entryType === 'resource') return 0;
  return stamps.fetchStart - stamps.start > toStep(context) ? 'hidden_redirect' : 0;
}

/** The request that was measured is not the one that was asked for: something sent it on. */
export function wasRedirected(entry: TimingEntry, context: EntryContext): boolean {
  return entry.redirectStart > 0 || (entry.redirectCount ?? 0) > 0 || (context.observed?.redirects ?? 0) > 0;
}

function toStep(context: EntryContext): number {
  return context.clockStepMs * 1000;
}
