import type { EntryContext } from './entry-context.ts';
import type { TimingEntry } from './timing-entry.ts';

/** How much earlier than the page's clock the parent process may have started, ms. Anything more is invalid. */
const MAX_EARLY_MS = 1_000;

/** Stamps of events that always happen, whatever their value. */
const ALWAYS = [
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'connectEnd',
  'requestStart',
] as const;
/** Stamps for which 0 means that there was no such event. */
const WHERE_PRESENT = ['redirectStart', 'redirectEnd', 'workerStart', 'responseStart', 'responseEnd'] as const;

/**
 * Firefox starts a navigation in the parent process, and the page's clock in the content process a few milliseconds later.
 * The parent stamps the request, so a navigation's fetchStart is negative (−1 to −4 ms in 11 of 12 navigations on an idle
 * machine, Firefox 153), and so is everything finished by then: on a reused connection all of the set-up; even requestStart
 * may read exactly 0. The stamps are consistent with each other. So the clock is moved to one step before the first of them:
 * all stamps move up and timeOrigin down by the same amount, and none becomes the 0 that means "no such event" (a page from
 * the cache finishes, responseEnd included, where it began).
 */
export function alignFirefoxNavigation(
  entry: TimingEntry,
  context: EntryContext,
): { readonly entry: TimingEntry; readonly context: EntryContext } {
  const negative = -entry.fetchStart;
  const applies =
    context.engine === 'firefox' && entry.entryType === 'navigation' && negative > 0 && negative <= MAX_EARLY_MS;
  if (!applies) return { entry, context };
  const early = negative + context.clockStepMs;

  const moved: { -readonly [Name in keyof TimingEntry]: TimingEntry[Name] } = { ...entry, startTime: 0 };
  for (const name of ALWAYS) moved[name] += early;
  for (const name of WHERE_PRESENT) if (entry[name] !== 0) moved[name] += early;
  if (entry.finalResponseHeadersStart) moved.finalResponseHeadersStart = entry.finalResponseHeadersStart + early;
  if (entry.name.startsWith('https:')) moved.secureConnectionStart += early;
  const seenAt = context.seenAt ?? null;
  return {
    entry: moved,
    context: { ...context, timeOrigin: context.timeOrigin - early, seenAt: seenAt === null ? null : seenAt + early },
  };
}
