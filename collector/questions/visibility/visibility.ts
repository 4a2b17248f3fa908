import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_AGE_MS, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { once } from '../../lib/once.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { OF_ENGINE } from '../../reductions/cell-aggregate.ts';
import type { BrowserSets } from '../../storage/passes/browser-sets.ts';
import type { ReadingSource } from '../../storage/passes/reading-source.ts';

/** How many browsers a group needs to be shown to a viewer, and which browsers count. Plain data. */
export interface ViewerRule {
  /** Smaller groups are not shown individually; 0 shows all. */
  readonly minGroupSize: number;
  /** Browsers first heard from after this time (epoch ms) don't count: anyone with an ingest key can invent them. */
  readonly freshSince?: number | null;
}

/** A viewer's rule applied to one range: decides which of its groups may be shown. */
export interface Visibility {
  /** 0 shows all. */
  readonly minGroupSize: number;
  /** Whether a browser counts towards a group. */
  counts(client: string): boolean;
  /** Collects the browsers of groups that count. */
  counted(): BrowserSets;
}

/** @param range of the requested samples */
export function createVisibility(
  { countedBrowsers, fleet }: Pick<ReadingSource, 'countedBrowsers' | 'fleet'>,
  { minGroupSize, freshSince = null }: ViewerRule,
  range: TimeRange,
): Visibility {
  const listed = once(() => {
    // What matters is when a browser was first heard from, not the range: samples may come a week late, including those
    // of invented browsers. A browser first heard from after that time can't have sent older ones.
    if (freshSince === null || range.to <= freshSince - MAX_AGE_MS) return () => true;
    // A browser that is not listed has been silent for as long as samples are kept, or the list was full.
    const established = fleet.hadRoom(freshSince) ? null : fleet.browsersUntil(freshSince);
    if (established !== null) return (client: string) => established.has(client);
    const fresh = fleet.freshBrowsers(freshSince);
    return (client: string) => !fresh.has(client);
  });
  // The number of browsers that share OVERFLOW_NAME is unknown.
  const counts = (client: string) => client !== OVERFLOW_NAME && listed()(client);
  return { minGroupSize, counts, counted: countedBrowsers(minGroupSize, counts) };
}

const NONE = -1;

export interface SizedGroup {
  /** Distinct browsers that count. */
  readonly browsers: number;
  /** Decides which group is the next smallest. */
  readonly samples: number;
  /** Large enough, but hidden for another reason. */
  readonly hidden?: boolean;
  /** Shown by another table, so it is hidden only if there is no other choice. */
  readonly known?: boolean;
}

/**
 * The one decision about small groups: returns the indexes of groups that may not be shown individually. Subtracting
 * the shown groups from the total would reveal what is left out, so a small group is never left out alone: if the small
 * groups have too few browsers even together, the next smallest group is left out with them (complementary
 * suppression). A group without any browser that counts is left out without another one: anyone with an ingest key can
 * create such a group.
 *
 * @param together distinct browsers of several groups; by default their sum, which is correct if no browser is in two
 */
export function smallGroups(
  groups: readonly SizedGroup[],
  minGroupSize: number,
  together: (indexes: readonly number[]) => number = (indexes) => sumOfBrowsers(groups, indexes),
): number[] {
  if (minGroupSize <= 1) return [];
  const small: number[] = [];
  const telling: number[] = [];
  let next = NONE;
  let nextKnown = NONE;
  for (const [index, { browsers, samples, hidden = false, known = false }] of groups.entries()) {
    if (browsers < minGroupSize || hidden) {
      small.push(index);
      if (browsers > 0) telling.push(index);
    } else if (known) {
      if (nextKnown === NONE || samples < (groups[nextKnown] as SizedGroup).samples) nextKnown = index;
    } else if (next === NONE || samples < (groups[next] as SizedGroup).samples) next = index;
  }
  if (telling.length === 0 || (telling.length > 1 && together(telling) >= minGroupSize)) return small;
  if (next === NONE) next = nextKnown;
  return next === NONE ? small : [...small, next];
}

function sumOfBrowsers(groups: readonly SizedGroup[], indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (groups[index]?.browsers ?? 0), 0);
}

/** Reasons that only one engine has: for a group with one Firefox they would describe that browser alone. */
const ENGINE_REASONS: ReadonlySet<string> = new Set<UnknownReason>([
  'preconnected',
  'begun_earlier',
  'queued',
  'firefox_dns',
  'firefox_tls13',
]);

/** Why times are unknown, as a viewer may see it: if small groups are folded, no reason reveals an engine. */
export function shownReasons(
  unknown: CellAggregate['unknown'],
  minGroupSize: number,
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  if (minGroupSize <= 1) return unknown as Readonly<Record<string, Record<string, number>>>;
  return Object.fromEntries(
    Object.entries(unknown).map(([time, reasons]) => {
      const shown: Record<string, number> = {};
      for (const [reason, count] of Object.entries(reasons)) {
        const word = ENGINE_REASONS.has(reason) ? OF_ENGINE : reason;
        shown[word] = (shown[word] ?? 0) + count;
      }
      return [time, shown];
    }),
  );
}
