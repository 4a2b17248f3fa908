import { Type } from 'typebox';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { BROWSER_STATES } from '../../shared/wire/browser-status.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import type { StoredBrowser } from '../storage/store.ts';
import { type AnswerOf, Count, each, Moment, object, orNull, words } from './answer-schema.ts';
import { createFleetCounts, LOSSES, type Loss, type Reasons } from './fleet-counts.ts';
import { filters, RANGE } from './parameters.ts';
import { isoOf } from './query-context.ts';
import { question } from './question.ts';
import type { ViewerRule } from './visibility/visibility.ts';

/** Read at most, the last heard of; where there are more, the answer says so. */
const MAX_BROWSERS = 20_000;
/** Named one by one at most, to admins. */
const MAX_NAMED = 2_000;
/** Reasons of each kind of loss; the rest of them is one row. */
const MAX_REASONS = 50;
/** Distinct reasons held while counting: old data may hold any number of them. */
const MAX_COUNTED_REASONS = 4 * MAX_REASONS;
/** The client may have disconnected: checked once per this many browsers. */
const CHECK_EVERY = 256;

const MaybeCount = orNull(Count);
const Losses = Type.Array(
  object({
    reason: Type.String(),
    count: Count,
    browsers: Count,
  }),
);
/** A number is null where fewer browsers are behind it than may be shown. */
const COUNTS = {
  browsers: MaybeCount,
  /** `unknown`: its extension is too old to say. */
  states: each([...BROWSER_STATES, 'unknown'], MaybeCount),
  /** Browsers whose last batch came with a clock that had to be corrected. */
  clocksWrong: MaybeCount,
  /** Rows that never left a browser, by reason: `full`, or the collector's error code. */
  dropped: Losses,
  /** Rows the collector refused one by one, by its code. */
  rejected: Losses,
  /** Entries that never became samples. */
  lost: Losses,
  /** `site` is empty where browsers have no label. */
  sites: Type.Array(object({ site: Type.String(), browsers: Count, degraded: MaybeCount, lastAt: Moment })),
};
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
  /** null where it never said, as the next three. */
  state: orNull(words(BROWSER_STATES)),
  waiting: MaybeCount,
  dropped: MaybeCount,
  lost: MaybeCount,
});
const Answer = object({
  from: Moment,
  to: Moment,
  /** There were more browsers than were read: the numbers are of those last heard of. */
  truncated: Type.Boolean(),
  ...COUNTS,
  /** The last heard of first; null for viewers. */
  named: orNull(Type.Array(SeenBrowser)),
  /** What browsers reported of themselves and was not kept, by why (docs/operations.md); of the days the range touches (UTC). */
  notKept: Type.Array(object({ reason: Type.String(), count: Count })),
});
/** `GET /api/v1/fleet`: the browsers heard of in a range, as they last described themselves. */
export type FleetDocument = AnswerOf<typeof Answer>;
export type FleetCounts = Pick<FleetDocument, keyof typeof COUNTS>;
export type FleetLoss = FleetDocument['lost'][number];
export type FleetSite = FleetDocument['sites'][number];
export type SeenBrowser = AnswerOf<typeof SeenBrowser>;

export interface FleetPlan extends ViewerRule {
  readonly range: TimeRange;
  /** Empty for all. */
  readonly sites: readonly string[];
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
}

/** How the browsers of a range are doing. Reads them twice, one at a time: first for the reasons there are, then for sums. */
export const fleet = question({
  name: 'fleet',
  address: '/api/v1/fleet',
  description: 'What browsers say of themselves.',
  parameters: { range: RANGE, filters: filters(['site']) },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ range, filters }, { rule, nameBrowsers }): FleetPlan => ({
    range,
    sites: filters.site ?? [],
    nameBrowsers,
    ...rule,
  }),
  asked: () => null,
  read(source, plan) {
    const { range, sites, nameBrowsers, minGroupSize } = plan;
    const read = (of: readonly string[]) => checked(source, source.fleet.browsers(range, of, MAX_BROWSERS + 1));
    const counts = createFleetCounts(plan, commonReasons(read(sites)));
    const named: SeenBrowser[] = [];
    let listed = 0;
    for (const browser of read(sites)) {
      if (++listed > MAX_BROWSERS) break;
      counts.add(browser);
      if (nameBrowsers && named.length < MAX_NAMED) named.push(seenBrowser(browser));
    }
    // What is asked for is checked together with what it leaves out.
    if (sites.length > 0 && minGroupSize > 1) {
      for (const browser of read([])) if (!sites.includes(browser.site)) counts.add(browser);
    }
    return {
      from: isoOf(range.from),
      to: isoOf(range.to),
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

/** The most common reasons. Beyond the limit the rarest are dropped from time to time, which bounds memory. */
function commonReasons(browsers: Iterable<StoredBrowser>): Reasons {
  const counts: Record<Loss, Map<string, number>> = { dropped: new Map(), rejected: new Map(), lost: new Map() };
  let read = 0;
  for (const { status } of browsers) {
    if (++read > MAX_BROWSERS) break;
    if (status === null) continue;
    for (const loss of LOSSES) {
      for (const reason of Object.keys(status[loss])) {
        counts[loss].set(reason, (counts[loss].get(reason) ?? 0) + 1);
      }
      if (counts[loss].size > MAX_COUNTED_REASONS) counts[loss] = mostFrequent(counts[loss], MAX_COUNTED_REASONS / 2);
    }
  }
  const namesOf = (loss: Loss) => new Set(mostFrequent(counts[loss], MAX_REASONS).keys());
  return { dropped: namesOf('dropped'), rejected: namesOf('rejected'), lost: namesOf('lost') };
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
