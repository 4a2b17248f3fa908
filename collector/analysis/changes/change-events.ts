import { type CellKey, partsOfKey } from '../../../shared/vocabulary/dimensions.ts';
import { changedWait, type GroupChange } from './group-change.ts';

const DAY_MS = 24 * 3_600_000;
/** … from the days on which another may have begun: some groups show an evening's release only on the next day. */
const MAX_DAYS_APART = 1;

/** What changed at a time: the group that shows it best, and the others that changed with it. */
export interface ChangeEvent {
  readonly lead: GroupChange;
  /** Each once, by its statistic with most waiting. */
  readonly others: readonly GroupChange[];
}

/**
 * Changes that are one event seen from several sides: an app, its hosts, its types, a site. What changed most waiting comes
 * first.
 */
export function changeEvents(changes: readonly GroupChange[]): ChangeEvent[] {
  const events: GroupChange[][] = [];
  for (const change of [...changes].sort((a, b) => changedWait(b) - changedWait(a))) {
    const own = events.find(([lead]) => lead !== undefined && isSameTime(lead, change));
    if (own === undefined) events.push([change]);
    else if (own.every((other) => idOf(other) !== idOf(change))) own.push(change);
  }
  return events.flatMap(([lead, ...others]) => (lead === undefined ? [] : [{ lead, others }]));
}

function isSameTime(lead: GroupChange, change: GroupChange): boolean {
  const [from, to] = change.sinceInterval.map(Date.parse) as [number, number];
  const since = Date.parse(lead.since);
  return (
    lead.direction === change.direction &&
    since >= from - MAX_DAYS_APART * DAY_MS &&
    since <= to + MAX_DAYS_APART * DAY_MS
  );
}

/** The group of a change. */
export function keyOfChange(change: GroupChange): CellKey {
  return Object.fromEntries(partsOfKey(change).map(({ dimension, value }) => [dimension, value]));
}

function idOf(change: GroupChange): string {
  return JSON.stringify(keyOfChange(change));
}
