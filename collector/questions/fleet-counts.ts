import { Type } from 'typebox';
import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { BROWSER_STATES } from '../../shared/wire/browser-status.ts';
import { type AnswerOf, Count, each, Moment, MonthOfBrowsers, object, orNull } from '../analysis/answer-schema.ts';
import { type BrowserCount, calendarMonth, mostInMonth } from '../reductions/browser-count.ts';
import type { StoredBrowser } from '../storage/passes/reading-source.ts';
import { findHidden } from './visibility/hidden-cells.ts';
import type { ViewerRule } from './visibility/visibility.ts';

/** Sites listed, those with the most browsers; the others are one row. */
const MAX_SITES = 200;

export const MaybeCount = orNull(Count);
const Losses = Type.Array(
  object({
    reason: Type.String(),
    count: Count,
    browsers: Count,
    browsersMonth: MonthOfBrowsers,
  }),
);
/** A number is null if it comes from fewer browsers than may be shown. */
export const COUNTS = {
  browsers: MaybeCount,
  /** The other numbers have months of their own. */
  browsersMonth: MonthOfBrowsers,
  /** `unknown`: its extension is too old to say. */
  states: each([...BROWSER_STATES, 'unknown'], MaybeCount),
  /** Browsers whose clock had to be corrected in their last batch. */
  clocksWrong: MaybeCount,
  /** Rows that never left a browser, by reason: `full`, or the collector's error code. */
  dropped: Losses,
  /** Rows that the collector rejected individually, by its code. */
  rejected: Losses,
  /** Entries that never became samples. */
  lost: Losses,
  /** Values that samples leave out because they cannot be right. */
  ignored: Losses,
  /** `site` is empty for browsers without a label. */
  sites: Type.Array(
    object({
      site: Type.String(),
      browsers: Count,
      browsersMonth: MonthOfBrowsers,
      degraded: MaybeCount,
      lastAt: Moment,
    }),
  ),
};
const FleetCounts = object(COUNTS);
export type FleetCounts = AnswerOf<typeof FleetCounts>;
export type FleetLoss = FleetCounts['lost'][number];
type FleetSite = FleetCounts['sites'][number];

export const LOSSES = ['dropped', 'rejected', 'lost', 'ignored'] as const;
export type Loss = (typeof LOSSES)[number];
/** Reasons that have a row of their own. */
export type Reasons = Readonly<Record<Loss, ReadonlySet<string>>>;

interface Asked extends ViewerRule {
  readonly isAsked: (site: string) => boolean;
  /** Whether any site may be left out. */
  readonly byFilter: boolean;
}

/**
 * Browsers of one site that reported the same; each browser is in one cell of a division. What may be shown is decided by
 * all ids, and what is shown is the count of the month with most.
 */
interface Cell {
  browsers: number;
  /** By the month in which they were last heard from. */
  readonly months: Map<number, number>;
  /** Those that count towards a group. */
  counted: number;
}

interface Site extends Cell {
  lastAt: number;
}

interface LossCell extends Cell {
  count: number;
}

/** The browsers of each site, divided by what they report: value → site → cell. */
type Division<C extends Cell = Cell> = Map<string, Map<string, C>>;

/** Whether a cell must not contribute to any number. */
type IsHidden = (value: string, site: string) => boolean;

const YES = 'yes';
const NO = 'no';
const NEVER: IsHidden = () => false;

/** Counts a fleet; leaves out numbers that reveal too few browsers, directly or by subtraction. */
export function createFleetCounts({ isAsked, byFilter, minGroupSize, freshSince }: Asked, reasons: Reasons) {
  const sites = new Map<string, Site>();
  const states: Division = new Map();
  const clocks: Division = new Map();
  const losses: Readonly<Record<Loss, Division<LossCell>>> = {
    dropped: new Map(),
    rejected: new Map(),
    lost: new Map(),
    ignored: new Map(),
  };

  function addLosses(
    loss: Loss,
    told: Readonly<Record<string, number>>,
    site: string,
    counted: number,
    month: number,
  ): void {
    const met = new Set<string>();
    for (const [reason, count] of Object.entries(told)) {
      const name = reasons[loss].has(reason) ? reason : OVERFLOW_NAME;
      const cell = cellAt(losses[loss], name, site, () => ({ ...newCell(), count: 0 }));
      cell.count += count;
      if (!met.has(name)) raise(cell, counted, month);
      met.add(name);
    }
  }

  function total(checkpoint: () => void): FleetCounts {
    /** Without a filter the totals ignore sites; the numbers of each site are checked with both. */
    const check = (division: Division, bySite: boolean): IsHidden =>
      minGroupSize <= 1 ? NEVER : hiddenIn(division, bySite, minGroupSize, checkpoint);
    const whole: Division = new Map([[YES, sites]]);
    const isSiteHidden = check(whole, true);
    const all = shownOf(whole, YES, byFilter ? isSiteHidden : NEVER);
    /** null if it may not be shown. */
    function shownOf(division: Division, value: string, isHidden: IsHidden): BrowserCount | null {
      const cells = [...(division.get(value) ?? [])].filter(([site]) => isAsked(site));
      const sum = summed(cells.map(([, cell]) => cell));
      if (sum.browsers > 0 && sum.counted < minGroupSize) return null;
      return cells.some(([site]) => isHidden(value, site)) ? null : countOf(sum);
    }
    const shownPart = (division: Division, value: string): BrowserCount | null =>
      all === null ? null : shownOf(division, value, check(division, byFilter));
    const partOf = (division: Division, value: string): number | null => shownPart(division, value)?.browsers ?? null;

    function lossRows(loss: Loss): FleetLoss[] {
      return [...losses[loss]]
        .flatMap(([reason, cells]): FleetLoss[] => {
          const browsers = shownPart(withRest(sites, cells), YES);
          const own = [...cells].filter(([site]) => isAsked(site));
          if (browsers === null || own.length === 0) return [];
          return [{ reason, ...browsers, count: own.reduce((sum, [, { count }]) => sum + count, 0) }];
        })
        .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
    }

    function siteRows(): FleetSite[] {
      const isStateHidden = check(states, true);
      const degraded = states.get('degraded') ?? new Map<string, Cell>();
      const shown = [...sites]
        .filter(([site, { counted }]) => isAsked(site) && counted >= minGroupSize && !isSiteHidden(YES, site))
        .sort(([a, one], [b, other]) => other.browsers - one.browsers || (a < b ? -1 : 1));
      const rowOf = (name: string, own: typeof shown): FleetSite => {
        const parts = own.flatMap(([site]) => degraded.get(site) ?? []);
        const part = summed(parts);
        const hidden =
          own.some(([site]) => isStateHidden('degraded', site)) || (part.browsers > 0 && part.counted < minGroupSize);
        return {
          site: name,
          ...countOf(summed(own.map(([, cell]) => cell))),
          degraded: hidden ? null : countOf(part).browsers,
          lastAt: new Date(own.reduce((last, [, { lastAt }]) => Math.max(last, lastAt), 0)).toISOString(),
        };
      };
      const rest = shown.slice(MAX_SITES);
      const rows = shown.slice(0, MAX_SITES).map((one) => rowOf(one[0], [one]));
      return rest.length === 0 ? rows : [...rows, rowOf(OVERFLOW_NAME, rest)];
    }

    return {
      browsers: null,
      ...all,
      states: {
        collecting: partOf(states, 'collecting'),
        degraded: partOf(states, 'degraded'),
        unknown: partOf(states, 'unknown'),
      },
      clocksWrong: partOf(clocks, YES),
      dropped: lossRows('dropped'),
      rejected: lossRows('rejected'),
      lost: lossRows('lost'),
      ignored: lossRows('ignored'),
      sites: siteRows(),
    };
  }

  return {
    /** Also for browsers of sites that were not requested, if the rest of the total has to be checked. */
    add({ site, status, clockCorrection, firstAt, lastAt }: StoredBrowser): void {
      const counted = freshSince == null || firstAt <= freshSince ? 1 : 0;
      const month = calendarMonth(lastAt);
      const own = sites.get(site) ?? { ...newCell(), lastAt };
      sites.set(site, own);
      raise(own, counted, month);
      own.lastAt = Math.max(own.lastAt, lastAt);
      raise(cellAt(states, status?.state ?? 'unknown', site, newCell), counted, month);
      raise(cellAt(clocks, clockCorrection === 0 ? NO : YES, site, newCell), counted, month);
      if (status !== null) for (const loss of LOSSES) addLosses(loss, status[loss] ?? {}, site, counted, month);
    },
    total,
  };
}

function cellAt<C extends Cell>(division: Division<C>, value: string, site: string, make: () => C): C {
  const cells = division.get(value) ?? new Map<string, C>();
  division.set(value, cells);
  const cell = cells.get(site) ?? make();
  cells.set(site, cell);
  return cell;
}

function newCell(): Cell {
  return { browsers: 0, months: new Map(), counted: 0 };
}

function raise(cell: Cell, counted: number, month: number): void {
  cell.browsers++;
  cell.months.set(month, (cell.months.get(month) ?? 0) + 1);
  cell.counted += counted;
}

function countOf({ months }: Cell): BrowserCount {
  return mostInMonth(months);
}

function summed(cells: readonly Cell[]): Cell {
  const sum = newCell();
  for (const { browsers, counted, months } of cells) {
    sum.browsers += browsers;
    for (const [month, n] of months) sum.months.set(month, (sum.months.get(month) ?? 0) + n);
    sum.counted += counted;
  }
  return sum;
}

/** Browsers that reported a reason, and the remaining ones of each site. */
function withRest(sites: ReadonlyMap<string, Cell>, told: Map<string, Cell>): Division {
  const rest = new Map<string, Cell>();
  for (const [site, { browsers, counted }] of sites) {
    const own = told.get(site) ?? newCell();
    // Only checked, never shown.
    if (own.browsers < browsers) {
      rest.set(site, { ...newCell(), browsers: browsers - own.browsers, counted: counted - own.counted });
    }
  }
  return new Map([
    [YES, told],
    [NO, rest],
  ]);
}

/** Checked like samples grouped by value, and by site if that is requested or filtered by. */
function hiddenIn(division: Division, bySite: boolean, below: number, checkpoint: () => void): IsHidden {
  const cells = [...division].flatMap(([value, own]) =>
    [...own].map(([site, { browsers, counted }]) => ({
      value,
      site,
      words: bySite ? [value, site] : [value],
      samples: browsers,
      browsers: counted,
    })),
  );
  // No browser is in two cells.
  const together = (indexes: Iterable<number>) => {
    let sum = 0;
    for (const index of indexes) {
      sum += cells[index]?.browsers ?? 0;
      if (sum >= below) break;
    }
    return sum;
  };
  const hidden = new Map<string, Set<string>>();
  findHidden(cells, together, below, checkpoint).forEach((isHidden, index) => {
    const { value, site } = cells[index] as (typeof cells)[number];
    if (isHidden) hidden.set(value, (hidden.get(value) ?? new Set()).add(site));
  });
  return (value, site) => hidden.get(value)?.has(site) ?? false;
}
