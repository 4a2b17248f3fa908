import type { AnyDimension, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { DIMENSIONS, toExclusionName } from '../../../shared/vocabulary/dimensions.ts';
import { type AppNames, valueLabel } from '../model/value-label.ts';
import { resolveRange } from '../state/time-range.ts';
import type { ViewState } from '../state/view-state.ts';
import { COMPARE } from '../text/compare.ts';
import { DASH } from '../text/format.ts';
import { formatPeriod } from '../text/moment.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** What can be compared: two ranges, or two values of a dimension over one range. */
export const COMPARABLE = [
  'range',
  'site',
  'scenario',
  'extension',
  'browserVersion',
  'host',
  'target',
  'protocol',
  'source',
] as const satisfies readonly ('range' | AnyDimension)[];
export type Comparable = (typeof COMPARABLE)[number];

const GROUPED_BY = {
  none: [],
  target: ['target'],
  type: ['type'],
  host: ['host'],
  'host-type': ['host', 'type'],
  site: ['site'],
} as const satisfies Readonly<Record<string, readonly AnyDimension[]>>;
export type Grouping = keyof typeof GROUPED_BY;
export const GROUPINGS = Object.keys(GROUPED_BY) as readonly Grouping[];

export const TIMES = ['ttlb', 'ttfb', 'wait', 'receive', 'setup', 'tls', 'tcp', 'dns', 'blocked'] as const;

/** A comparison as stored in the URL. */
export interface Comparison {
  readonly what: Comparable;
  /** Values of the two sides; null if not chosen yet, and for ranges. */
  readonly a: string | null;
  readonly b: string | null;
  /** The earlier range; null for the same length right before the view's range. */
  readonly before: TimeRange | null;
  readonly by: Grouping;
  readonly time: (typeof TIMES)[number];
}

/** What the view opens with: what HTTPS costs where a connection is opened. */
const OPENING: ViewState['own'] = { what: 'scenario', a: 'http-new', b: 'https-new', by: 'target' };

/** The view's own parameters, which are the opening comparison where the URL has none. */
export function askedComparison(own: ViewState['own']): ViewState['own'] {
  return Object.keys(own).length === 0 ? OPENING : own;
}

/** Unknown values in the URL fall back to the default, so that an old link still opens. */
export function parseComparison(given: ViewState['own']): Comparison {
  const own = askedComparison(given);
  const known = <Name extends string>(all: readonly Name[], text: string | undefined, byDefault: Name) =>
    all.find((name) => name === text) ?? byDefault;
  const from = Date.parse(own.beforeFrom ?? '');
  const to = Date.parse(own.beforeTo ?? '');
  return {
    what: known(COMPARABLE, own.what, 'range'),
    a: own.a || null,
    b: own.b || null,
    before: Number.isFinite(from) && Number.isFinite(to) && from < to ? { from, to } : null,
    by: known(GROUPINGS, own.by, 'none'),
    time: known(TIMES, own.time, 'ttlb'),
  };
}

/** Query of `GET /api/v1/compare`; null while a side is not chosen. */
export function compareQuery(state: ViewState, now: number): string | null {
  const { what, a, b, before, by, time } = parseComparison(state.own);
  const range = resolveRange(state.range, now);
  const query = new URLSearchParams({ from: iso(range.from), to: iso(range.to), time });
  // Grouped by the compared dimension, every group would have one side only.
  const groups = GROUPED_BY[by].filter((dimension) => dimension !== what);
  if (groups.length > 0) query.set('by', groups.join(','));
  for (const dimension of DIMENSIONS) {
    if (dimension === what) continue;
    for (const name of [dimension, toExclusionName(dimension)] as const) {
      for (const value of state.filters[name] ?? []) query.append(name, value);
    }
  }
  // Users' requests and probes are mixed only by an explicit filter.
  if (what !== 'source' && state.filters.source === undefined) query.set('source', 'page');
  if (what === 'range') {
    const earlier = before ?? rangeBefore(range);
    query.set('beforeFrom', iso(earlier.from));
    query.set('beforeTo', iso(earlier.to));
    return query.toString();
  }
  if (a === null || b === null) return null;
  query.set(`before.${what}`, a);
  query.set(`after.${what}`, b);
  return query.toString();
}

export function rangeBefore({ from, to }: TimeRange): TimeRange {
  return { from: from - (to - from), to: from };
}

export function weekBefore({ from, to }: TimeRange): TimeRange {
  return { from: from - WEEK, to: to - WEEK };
}

/** How the earlier range follows from the view's, with an hour's tolerance: a moving range has moved on since the choice. */
export function earlierKind(before: TimeRange | null, range: TimeRange): 'previous' | 'week' | 'own' {
  if (before === null) return 'previous';
  const { from, to } = weekBefore(range);
  return Math.abs(before.from - from) < HOUR && Math.abs(before.to - to) < HOUR ? 'week' : 'own';
}

/** The earlier range as stored in the URL. */
export function ownBefore({ from, to }: TimeRange): { readonly beforeFrom: string; readonly beforeTo: string } {
  return { beforeFrom: iso(from), beforeTo: iso(to) };
}

/** Names of the sides for sentences and headings. */
export function sideNames(state: ViewState, now: number, names: AppNames): readonly [string, string] {
  const { what, a, b, before } = parseComparison(state.own);
  if (what !== 'range') {
    const sideName = (value: string | null) => {
      const name = value === null ? DASH : valueLabel(what, value, names);
      return name.includes(',') ? COMPARE.quoted(name) : name;
    };
    return [sideName(a), sideName(b)];
  }
  const range = resolveRange(state.range, now);
  const name = ({ from, to }: TimeRange) => formatPeriod(from, to);
  return [name(before ?? rangeBefore(range)), name(range)];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
