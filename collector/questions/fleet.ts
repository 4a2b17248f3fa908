import { Type } from 'typebox';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { BROWSER_STATES } from '../../shared/wire/browser-status.ts';
import { type AnswerOf, Count, Moment, object, orNull, words } from '../analysis/answer-schema.ts';
import type { BrowserSites, ReadingSource, StoredBrowser } from '../storage/passes/reading-source.ts';
import { COUNTS, createFleetCounts, LOSSES, type Loss, MaybeCount, type Reasons } from './fleet-counts.ts';
import { filters, RANGE } from './parameters.ts';
import { toIso } from './query-context.ts';
import { question } from './question.ts';
import type { ViewerRule } from './visibility/visibility.ts';

/** Browsers read, the most recently heard from; `truncated` says whether there were more. */
const MAX_BROWSERS = 20_000;
/** Browsers listed individually, for admins only. */
const MAX_NAMED = 2_000;
/** Reasons listed for each kind of loss; the others are one row. */
const MAX_REASONS = 50;
/** Distinct reasons held while counting: old data may hold any number. */
const MAX_COUNTED_REASONS = 4 * MAX_REASONS;
/** The client may have disconnected: checked once per this many browsers. */
const CHECK_EVERY = 256;

/** One browser, for admins. */
const SeenBrowser = object({
  client: Type.String(),
  site: Type.String(),
  browser: Type.String(),
  browserVersion: Type.String(),
  extensionVersion: Type.String(),
  firstAt: Moment,
  lastAt: Moment,
  /** Added to its times, ms. */
  clockCorrection: Type.Number(),
  /** null if it never reported one; so are the next three. */
  state: orNull(words(BROWSER_STATES)),
  waiting: MaybeCount,
  dropped: MaybeCount,
  lost: MaybeCount,
});
const Answer = object({
  from: Moment,
  to: Moment,
  /** There were more browsers than were read: the numbers cover those most recently heard from. */
  truncated: Type.Boolean(),
  ...COUNTS,
  /** Most recently heard from first; null for viewers. */
  named: orNull(Type.Array(SeenBrowser)),
  /**
   * What browsers reported about themselves and was not stored, by reason (docs/operations.md), for the days (UTC) that
   * the range touches.
   */
  notKept: Type.Array(object({ reason: Type.String(), count: Count })),
});
/** `GET /api/v1/fleet`: the browsers heard from in a range, as they last described themselves. */
export type FleetDocument = AnswerOf<typeof Answer>;
export type SeenBrowser = AnswerOf<typeof SeenBrowser>;

export interface FleetPlan extends ViewerRule {
  readonly range: TimeRange;
  /** Empty selects all. */
  readonly sites: readonly string[];
  readonly withoutSites?: readonly string[];
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
}

/** How the browsers of a range are doing. Streams them twice: first to find the common reasons, then to sum up. */
export const fleet = question({
  name: 'fleet',
  address: '/api/v1/fleet',
  description: 'What browsers report about themselves.',
  parameters: { range: RANGE, filters: filters(['site']) },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ range, filters }, { rule, nameBrowsers }): FleetPlan => ({
    range,
    sites: filters.site ?? [],
    withoutSites: filters['not.site'] ?? [],
    nameBrowsers,
    ...rule,
  }),
  asked: () => null,
  async read(source, plan) {
    const { range, sites, withoutSites = [], nameBrowsers, minGroupSize } = plan;
    const read = (of: BrowserSites) => checked(source, source.fleet.browsers(range, of, MAX_BROWSERS + 1));
    const asked: BrowserSites = { sites, without: withoutSites };
    const isAsked = (site: string) => (sites.length === 0 || sites.includes(site)) && !withoutSites.includes(site);
    const byFilter = sites.length + withoutSites.length > 0;
    const counts = createFleetCounts({ ...plan, isAsked, byFilter }, commonReasons(read(asked)));
    const named: SeenBrowser[] = [];
    let listed = 0;
    for (const browser of read(asked)) {
      if (++listed > MAX_BROWSERS) break;
      counts.add(browser);
      if (nameBrowsers && named.length < MAX_NAMED) named.push(seenBrowser(browser));
    }
    // Requested groups are checked together with the groups they leave out.
    if (byFilter && minGroupSize > 1) {
      for (const browser of read({})) if (!isAsked(browser.site)) counts.add(browser);
    }
    return {
      from: toIso(range.from),
      to: toIso(range.to),
      ...counts.total(source.checkpoint),
      truncated: listed > MAX_BROWSERS,
      named: nameBrowsers ? named : null,
      notKept: source.fleet.notKept(range),
    };
  },
});

function* checked<T>({ checkpoint }: ReadingSource, rows: Iterable<T>): Generator<T> {
  let seen = 0;
  for (const row of rows) {
    if (seen++ % CHECK_EVERY === 0) checkpoint();
    yield row;
  }
}

/** The most common reasons. Whenever there are too many, the rarest are dropped, which bounds memory. */
function commonReasons(browsers: Iterable<StoredBrowser>): Reasons {
  const counts = Object.fromEntries(LOSSES.map((loss) => [loss, new Map()])) as Record<Loss, Map<string, number>>;
  let read = 0;
  for (const { status } of browsers) {
    if (++read > MAX_BROWSERS) break;
    if (status === null) continue;
    for (const loss of LOSSES) {
      for (const reason of Object.keys(status[loss] ?? {})) {
        counts[loss].set(reason, (counts[loss].get(reason) ?? 0) + 1);
      }
      if (counts[loss].size > MAX_COUNTED_REASONS) counts[loss] = mostFrequent(counts[loss], MAX_COUNTED_REASONS / 2);
    }
  }
  const names = LOSSES.map((loss) => [loss, new Set(mostFrequent(counts[loss], MAX_REASONS).keys())]);
  return Object.fromEntries(names) as Reasons;
}

function mostFrequent(counts: ReadonlyMap<string, number>, limit: number): Map<string, number> {
  return new Map([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, limit));
}

function seenBrowser({ firstAt, lastAt, status, ...browser }: StoredBrowser): SeenBrowser {
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  return {
    ...browser,
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    state: status?.state ?? null,
    waiting: status?.waiting ?? null,
    dropped: status === null ? null : sum(status.dropped) + sum(status.rejected),
    lost: status === null ? null : sum(status.lost),
  };
}
