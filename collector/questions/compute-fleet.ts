import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { FleetCounts, NotKept, SeenBrowser } from '../analysis/documents/fleet-document.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import type { StoredBrowser } from '../storage/store.ts';
import { createFleetCounts, LOSSES, type Loss, type Reasons } from './fleet-counts.ts';
import type { FoldRule } from './viewer/small-groups.ts';

/** Read at most, the last heard of; where there are more, the answer says so. */
const MAX_BROWSERS = 20_000;
/** Named one by one at most, to admins. */
const MAX_NAMED = 2_000;
/** Reasons of each kind of loss; the rest of them is one row. */
const MAX_REASONS = 50;
/** Distinct reasons held while counting: old data may hold any number of them. */
const MAX_COUNTED_REASONS = 4 * MAX_REASONS;
/** The client may have gone: looked at once per so many browsers. */
const CHECK_EVERY = 256;

export interface FleetQuestion extends FoldRule {
  readonly range: TimeRange;
  /** Empty for all. */
  readonly sites: readonly string[];
  /** Whether single browsers may be named. */
  readonly nameBrowsers: boolean;
}

export interface FleetAnswer extends FleetCounts {
  readonly truncated: boolean;
  readonly named: readonly SeenBrowser[] | null;
  readonly notKept: readonly NotKept[];
}

/** How the browsers of a range are doing. Reads them twice, one at a time: first for the reasons there are, then for sums. */
export function computeFleet(source: ReadingSource, question: FleetQuestion): FleetAnswer {
  const { range, sites, nameBrowsers, foldBelow } = question;
  const read = (of: readonly string[]) => checked(source, source.fleet.browsers(range, of, MAX_BROWSERS + 1));
  const counts = createFleetCounts(question, commonReasons(read(sites)));
  const named: SeenBrowser[] = [];
  let listed = 0;
  for (const browser of read(sites)) {
    if (++listed > MAX_BROWSERS) break;
    counts.add(browser);
    if (nameBrowsers && named.length < MAX_NAMED) named.push(seenBrowser(browser));
  }
  // What is asked for is judged beside what it leaves out.
  if (sites.length > 0 && foldBelow > 1) {
    for (const browser of read([])) if (!sites.includes(browser.site)) counts.add(browser);
  }
  return {
    ...counts.total(source.checkpoint),
    truncated: listed > MAX_BROWSERS,
    named: nameBrowsers ? named : null,
    notKept: source.fleet.notKept(range),
  };
}

function* checked<T>({ checkpoint }: ReadingSource, rows: Iterable<T>): Generator<T> {
  let seen = 0;
  for (const row of rows) {
    if (seen++ % CHECK_EVERY === 0) checkpoint();
    yield row;
  }
}

/** The reasons that most browsers tell. Beyond the limit the rarest are forgotten from time to time, so memory is bounded. */
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
