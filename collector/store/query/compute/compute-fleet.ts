import type { TimeRange } from '../../../../shared/summary/dimensions.ts';
import type {
  FleetCounts,
  FleetLoss,
  FleetSite,
  NotKept,
  SeenBrowser,
} from '../../../../shared/summary/fleet-document.ts';
import { OVERFLOW_NAME } from '../../../../shared/wire/wire-limits.ts';
import type { StoredBrowser } from '../../store.ts';
import { type FoldRule, smallGroups, splitsSmall } from '../small-groups.ts';
import type { ComputeSource } from './compute-source.ts';

/** Read at most, the last heard of; where there are more, the answer says so. */
const MAX_BROWSERS = 20_000;
/** Named one by one at most, to admins. */
const MAX_NAMED = 2_000;
/** Reasons of each kind of loss, and sites; the rest of them is one row. */
const MAX_REASONS = 50;
const MAX_SITES = 200;
/** Distinct reasons held while counting: old data may hold any number of them. */
const MAX_COUNTED_REASONS = 4 * MAX_REASONS;
/** The client may have gone: looked at once per so many browsers. */
const CHECK_EVERY = 256;

const LOSSES = ['dropped', 'rejected', 'lost'] as const;
type Loss = (typeof LOSSES)[number];

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
export function computeFleet(source: ComputeSource, question: FleetQuestion): FleetAnswer {
  const { range, sites, nameBrowsers } = question;
  if (tellsSmallSite(source, question)) return { ...NOTHING_SHOWN, notKept: source.fleet.notKept(range) };
  const read = (of: readonly string[]) => checked(source, source.fleet.browsers(range, of, MAX_BROWSERS + 1));
  const browsers = () => read(sites);
  const reasons = commonReasons(browsers());
  const counts = createCounts(question, reasons);
  const named: SeenBrowser[] = [];
  let listed = 0;
  for (const browser of browsers()) {
    if (++listed > MAX_BROWSERS) break;
    counts.add(browser);
    if (nameBrowsers && named.length < MAX_NAMED) named.push(seenBrowser(browser));
  }
  if (sites.length > 0 && question.foldBelow > 1) {
    for (const browser of read([])) if (!sites.includes(browser.site)) counts.addOther(browser);
  }
  return {
    ...counts.total(),
    truncated: listed > MAX_BROWSERS,
    named: nameBrowsers ? named : null,
    notKept: source.fleet.notKept(range),
  };
}

const NOTHING_SHOWN: Omit<FleetAnswer, 'notKept'> = {
  browsers: null,
  states: { collecting: null, degraded: null, unknown: null },
  clocksWrong: null,
  dropped: [],
  rejected: [],
  lost: [],
  sites: [],
  truncated: false,
  named: null,
};

function* checked<T>({ checkpoint }: ComputeSource, rows: Iterable<T>): Generator<T> {
  let seen = 0;
  for (const row of rows) {
    if (seen++ % CHECK_EVERY === 0) checkpoint();
    yield row;
  }
}

/** Whether the sites asked for are some of those that may only be shown together. */
function tellsSmallSite(source: ComputeSource, { range, sites, foldBelow, freshSince }: FleetQuestion): boolean {
  if (sites.length === 0 || foldBelow <= 1) return false;
  const all = source.fleet.sites(range, freshSince ?? null);
  const groups = all.map(({ counted, browsers }) => ({ browsers: counted, samples: browsers }));
  return splitsSmall(groups, foldBelow, (index) => sites.includes(all[index]?.site ?? ''));
}

type Reasons = Readonly<Record<Loss, ReadonlySet<string>>>;

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

/** Browsers, and how many of them count towards a group. */
interface Cell {
  browsers: number;
  counted: number;
}

interface LossCell extends Cell {
  count: number;
  /** The same at sites that were not asked for. */
  readonly elsewhere: Cell;
}

interface SiteCell extends Cell {
  readonly degraded: Cell;
  lastAt: number;
}

const newCell = (): Cell => ({ browsers: 0, counted: 0 });

function createCounts({ foldBelow, freshSince }: FleetQuestion, reasons: Reasons) {
  const all = newCell();
  const states = { collecting: newCell(), degraded: newCell(), unknown: newCell() };
  const clocksWrong = newCell();
  const losses: Record<Loss, Map<string, LossCell>> = { dropped: new Map(), rejected: new Map(), lost: new Map() };
  const sites = new Map<string, SiteCell>();

  /** @param into called once for each reason */
  function addLosses(
    loss: Loss,
    counts: Readonly<Record<string, number>>,
    into: (cell: LossCell) => void,
    part = 1,
  ): void {
    const met = new Set<string>();
    for (const [reason, count] of Object.entries(counts)) {
      const name = reasons[loss].has(reason) ? reason : OVERFLOW_NAME;
      const cell = losses[loss].get(name) ?? { ...newCell(), count: 0, elsewhere: newCell() };
      losses[loss].set(name, cell);
      cell.count += part * count;
      if (!met.has(name)) into(cell);
      met.add(name);
    }
  }

  function counter({ firstAt }: StoredBrowser): (cell: Cell) => void {
    const counts = freshSince == null || firstAt <= freshSince ? 1 : 0;
    return (cell) => {
      cell.browsers++;
      cell.counted += counts;
    };
  }

  /** null where a viewer would be told of too few browsers, by it or by what it leaves of the whole. */
  function partOf(whole: Cell, part: Cell): number | null {
    const rest = { browsers: whole.browsers - part.browsers, counted: whole.counted - part.counted };
    const small = smallCells([part, rest], foldBelow);
    return small.has(part) || (part.browsers === 0 && small.has(rest)) ? null : part.browsers;
  }

  /** Each by itself: a browser may tell several reasons, and no sum of all is told. */
  function lossRows(loss: Loss): FleetLoss[] {
    return [...losses[loss]]
      .filter(([, cell]) => cell.browsers > 0 && !smallCells([cell, cell.elsewhere], foldBelow).has(cell))
      .map(([reason, { count, browsers }]) => ({ reason, count, browsers }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  function siteRows(): FleetSite[] {
    const cells = [...sites];
    const small = smallCells(
      cells.map(([, cell]) => cell),
      foldBelow,
    );
    const shown = cells.filter(([, cell]) => !small.has(cell));
    const sorted = shown.sort(([a, one], [b, other]) => other.browsers - one.browsers || (a < b ? -1 : 1));
    const rest = sorted.slice(MAX_SITES).map(([, cell]) => cell);
    return [...sorted.slice(0, MAX_SITES), ...(rest.length === 0 ? [] : [[OVERFLOW_NAME, summed(rest)] as const])].map(
      ([site, cell]) => ({
        site,
        browsers: cell.browsers,
        degraded: partOf(cell, cell.degraded),
        lastAt: new Date(cell.lastAt).toISOString(),
      }),
    );
  }

  return {
    /** One of a site that was not asked for. */
    addOther(browser: StoredBrowser): void {
      const into = counter(browser);
      if (browser.status === null) return;
      for (const loss of LOSSES) addLosses(loss, browser.status[loss], ({ elsewhere }) => into(elsewhere), 0);
    },
    add(browser: StoredBrowser): void {
      const { site, status, clockCorrection, lastAt } = browser;
      const into = counter(browser);
      into(all);
      into(states[status?.state ?? 'unknown']);
      if (clockCorrection !== 0) into(clocksWrong);
      const own = sites.get(site) ?? { ...newCell(), degraded: newCell(), lastAt };
      sites.set(site, own);
      into(own);
      if (status?.state === 'degraded') into(own.degraded);
      own.lastAt = Math.max(own.lastAt, lastAt);
      if (status !== null) for (const loss of LOSSES) addLosses(loss, status[loss], into);
    },
    total(): FleetCounts {
      const small = smallCells(Object.values(states), foldBelow);
      const shown = (cell: Cell) => (small.has(cell) ? null : cell.browsers);
      return {
        browsers: all.browsers > 0 && all.counted < foldBelow ? null : all.browsers,
        states: {
          collecting: shown(states.collecting),
          degraded: shown(states.degraded),
          unknown: shown(states.unknown),
        },
        clocksWrong: partOf(all, clocksWrong),
        dropped: lossRows('dropped'),
        rejected: lossRows('rejected'),
        lost: lossRows('lost'),
        sites: siteRows(),
      };
    },
  };
}

/** Of cells that no browser shares; empty ones tell of nobody. */
function smallCells<T extends Cell>(cells: readonly T[], foldBelow: number): ReadonlySet<T> {
  const met = cells.filter(({ browsers }) => browsers > 0);
  const groups = met.map(({ counted, browsers }) => ({ browsers: counted, samples: browsers }));
  return new Set(smallGroups(groups, foldBelow).flatMap((index) => met[index] ?? []));
}

function summed(cells: readonly SiteCell[]): SiteCell {
  const sum: SiteCell = { ...newCell(), degraded: newCell(), lastAt: 0 };
  for (const { browsers, counted, degraded, lastAt } of cells) {
    sum.browsers += browsers;
    sum.counted += counted;
    sum.degraded.browsers += degraded.browsers;
    sum.degraded.counted += degraded.counted;
    sum.lastAt = Math.max(sum.lastAt, lastAt);
  }
  return sum;
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
