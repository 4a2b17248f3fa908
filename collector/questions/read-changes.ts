import type { AnyDimension, CellKey } from '../../shared/vocabulary/dimensions.ts';
import { isFewBrowsers, partsOfKey } from '../../shared/vocabulary/dimensions.ts';
import { certainChanges } from '../analysis/changes/certain-changes.ts';
import { CHANGE_STATISTICS, changedWait } from '../analysis/changes/group-change.ts';
import { groupChanges, isTestable } from '../analysis/changes/group-changes.ts';
import { createLikeDays, type GroupDays, rolledUpDays } from '../analysis/changes/like-days.ts';
import { dayName } from '../analysis/findings/waits.ts';
import { wholeDays } from '../analysis/time/step-bounds.ts';
import { utc, wallTime } from '../analysis/time/zoned-time.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { countsUsers } from './compare.ts';
import type { ComputeMethod } from './query-context.ts';
import { readWaits, type WaitsPlan } from './read-waits.ts';
import { readSteps, type SteppedAnswer, type TimelineCell } from './timeline.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** Each is tested. */
export const CHANGE_GROUPINGS: readonly (readonly AnyDimension[])[] = [
  ['target'],
  ['host'],
  ['host', 'type'],
  ['site'],
];
/** For days as they were: a host only by type, because a day with more images would look like a faster one. */
const ROLLED_UP_GROUPINGS: readonly (readonly AnyDimension[])[] = [['target'], ['host', 'type'], ['site']];
/** Groups of each grouping, those waited for longest; `leftOut` counts the others. */
const MAX_GROUPS = 60;
/** Least share of all waiting. Groups with less are not tested: were they to take twice as long, no finding would say so. */
const MIN_SHARE = 0.005;
/** Share of the events shown that may be chance, on average: of all findings, which are of many kinds, at most 2 % may be false. */
const FALSE_DISCOVERY_RATE = 0.005;

/** `fixed`: like is compared with like. `daily`: samples are no longer kept, and rollups know no paths. */
export const CHANGE_MIXES = ['fixed', 'daily'] as const;
type ChangeMix = (typeof CHANGE_MIXES)[number];

interface Days {
  readonly groups: readonly GroupDays[];
  readonly leftOut: { readonly cells: number; readonly samples: number };
  readonly method: ComputeMethod;
}

/**
 * Lasting changes by each of the groupings that began in the range; those that change most waiting first. All days that are kept are
 * compared, whatever the range, so a change has the same day and size in each range that it is in.
 */
export async function readChanges(source: ReadingSource, plan: WaitsPlan) {
  const { range, zone } = plan;
  const { samples, hours } = (await source.kept()) ?? { samples: null, hours: null };
  const isOlder =
    hours !== null && (samples === null || (range.from < samples.from && hours.from <= samples.from - DAY_MS));
  const mix: ChangeMix = isOlder ? 'daily' : 'fixed';
  const days = wholeDays((isOlder ? hours : samples) ?? range, zone);
  const { groups, leftOut, method } = await (mix === 'fixed' ? sampledDays : rolledUp)(source, plan, days);
  const tested = groups.filter(isTestable);
  const found = tested.flatMap((group) => {
    source.checkpoint();
    return groupChanges(group);
  });
  const [since, until] = [dayName(dayOf(range.from, zone)), dayName(dayOf(range.to - 1, zone))];
  return {
    ...method,
    mix,
    leftOut,
    series: { tested: tested.length, tooFewDays: groups.length - tested.length },
    changes: certainChanges(found, CHANGE_STATISTICS.length * tested.length, FALSE_DISCOVERY_RATE)
      .filter((change) => change.since >= since && change.since <= until)
      .sort((a, b) => changedWait(b) - changedWait(a)),
  };
}

/** Days since 1970 in the zone. */
function dayOf(at: number, zone: string): number {
  const { year, month, day } = wallTime(at, zone);
  return utc(year, month, day) / DAY_MS;
}

/** Like for like. */
async function sampledDays(source: ReadingSource, plan: WaitsPlan, bounds: readonly number[]): Promise<Days> {
  const { zone, minGroupSize, filters } = plan;
  const range = { from: bounds[0] ?? plan.range.to, to: bounds.at(-1) ?? plan.range.to };
  const read = await readWaits(source, { ...plan, range }, [[], ...CHANGE_GROUPINGS]);
  const { waits, share, folded, visibility, method } = read;
  const likeDays = createLikeDays(waits, {
    days: [dayOf(range.from, zone), dayOf(range.to - 1, zone)],
    minBrowsers: minGroupSize,
    counts: countsUsers(filters) ? visibility.counts : null,
  });
  const found = CHANGE_GROUPINGS.map((by, i) => {
    source.checkpoint();
    const hidden = folded[i + 1]?.folding?.ids;
    const isShown = ({ key }: GroupDays) => hidden?.has(groupId(by.map((name) => key[name] ?? null))) !== true;
    return topOf(likeDays(by).filter(isShown), share);
  });
  return {
    method,
    groups: withoutTwins(found.flatMap(({ groups }) => groups)),
    leftOut: sumOf(found.map(({ leftOut }) => leftOut)),
  };
}

function topOf(groups: readonly GroupDays[], share: number): Omit<Days, 'method'> {
  const sorted = [...groups].sort((a, b) => b.waitedMs - a.waitedMs);
  const all = sorted.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  const shown = sorted.slice(0, MAX_GROUPS).filter(({ waitedMs }) => waitedMs >= MIN_SHARE * all);
  const left = sorted.slice(shown.length).map(({ requests }) => requests.reduce((sum, n) => sum + n, 0));
  return {
    groups: shown.map((group) => ({ ...group, requests: group.requests.map((n) => n / share) })),
    leftOut: { cells: left.length, samples: Math.round(left.reduce((sum, n) => sum + n, 0) / share) },
  };
}

/** Without hosts of which only one type is asked: the same test twice is no further evidence. */
function withoutTwins(groups: readonly GroupDays[]): GroupDays[] {
  const types = new Map<string | null, number>();
  for (const { host, type } of groups.map(({ key }) => key)) {
    if (host !== undefined && type !== undefined) types.set(host, (types.get(host) ?? 0) + 1);
  }
  return groups.filter(({ key: { host, type } }) => host === undefined || type !== undefined || types.get(host) !== 1);
}

function sumOf(left: readonly Days['leftOut'][]): Days['leftOut'] {
  return left.reduce((a, b) => ({ cells: a.cells + b.cells, samples: a.samples + b.samples }), {
    cells: 0,
    samples: 0,
  });
}

async function rolledUp(source: ReadingSource, plan: WaitsPlan, bounds: readonly number[]): Promise<Days> {
  const range = { from: bounds[0] ?? plan.range.to, to: bounds.at(-1) ?? plan.range.to };
  const days = bounds.slice(0, -1).map((start) => dayOf(start + HOUR_MS, plan.zone));
  const answers = [];
  for (const by of ROLLED_UP_GROUPINGS) {
    const asked = { ...plan, range, by, bounds, time: 'ttlb', exact: false, top: MAX_GROUPS, uncounted: true } as const;
    answers.push(await readSteps(source, asked));
  }
  const [{ bound, dataHash }] = answers as [SteppedAnswer];
  const cells = answers.flatMap((answer) => answer.cells).filter((cell) => !isFewBrowsers(keyOf(cell)));
  const folded = answers.find((answer) => answer.folded !== null)?.folded ?? null;
  return {
    method: { exact: answers.every(({ exact }) => exact), bound, dataHash, folded },
    leftOut: sumOf(answers.flatMap(({ leftOut }) => leftOut ?? [])),
    groups: cells.map((cell) => rolledUpDays(keyOf(cell), days, cell.steps.map(toDay))),
  };
}

function keyOf(cell: TimelineCell): CellKey {
  return Object.fromEntries(partsOfKey(cell).map(({ dimension, value }) => [dimension, value]));
}

/** null without values, or where few browsers hide them. */
function toDay(step: TimelineCell['steps'][number]) {
  if (step === null) return null;
  const { n, median, mean } = step;
  return n === null || median === null || mean === null ? null : { n, median, mean };
}
