import { ANYWHERE, type Finding, type FindingPlace } from './finding.ts';
import type { Suspect } from './scan.ts';
import type { Waits } from './waits.ts';

export interface Found {
  readonly finding: Finding;
  readonly suspect: Suspect;
}

type Field = keyof FindingPlace;

/** What one cause shows in: an open connection is waited for by all that follow it, and a long way delays everything on it. */
const AKIN: readonly (readonly string[])[] = [
  ['dns', 'blocked', 'new_connections'],
  ['tcp', 'tls', 'blocked', 'new_connections', 'ttlb'],
  ['tcp', 'wait', 'receive', 'ttlb'],
  ['blocked', 'wait', 'ttlb'],
];
/** The line, the proxy or the software of some users is behind all of these. */
const ON_THE_LINE = ['blocked', 'tcp', 'tls', 'wait', 'receive', 'ttlb', 'new_connections'];
/** What can be at fault for several places that have it in common, from one day on or always: no kind of request can. */
const SHARED: readonly Field[] = ['target', 'host', 'site', 'client', 'engine'];
const USERS: readonly Field[] = ['site', 'client', 'engine'];
const TIMES: readonly Field[] = ['hours', 'minutes', 'weekdays'];
/** So much may be what the cure of the larger one left, lie before its day, or lie outside its place. */
const REST = 0.25;

/** One cause is one finding, told by the largest of what it shows in, at the place that they have in common. */
export function joinCauses(found: readonly Found[], waits: Waits): Found[] {
  const joined = [...found].sort((a, b) => b.finding.savedMs - a.finding.savedMs);
  for (let at = 1; at < joined.length; at++) {
    const other = joined[at] as Found;
    const index = joined.slice(0, at).findIndex((larger) => isSameCause(larger, other, waits));
    if (index < 0) continue;
    const larger = joined[index] as Found;
    joined.splice(at, 1);
    // What a cure leaves is shorter than before, which looks as if that place had got faster on the same day.
    if (larger.finding.direction === other.finding.direction) joined[index] = together(larger, other);
    // Its place may be wider now, and hold what was passed over.
    at = 0;
  }
  return joined;
}

function isSameCause(larger: Found, other: Found, waits: Waits): boolean {
  const [one, two] = [larger.finding, other.finding];
  const shared = sharedFields(one, two);
  const isNested = shared.length === Math.min(fieldsOf(one).length, fieldsOf(two).length);
  const isSameDay = beganTogether(larger.suspect, other.suspect);
  if (isNested && isSameDay) return two.direction === 'faster' || one.direction === 'slower';
  if (one.direction !== two.direction) return false;
  const [dated, undated] = [true, false].map((isKnown) =>
    [larger.suspect, other.suspect].find(({ since }) => (since !== null) === isKnown),
  );
  if (!isNested) {
    const atFault = isSameDay ? SHARED : dated === undefined ? USERS : [];
    const isThen =
      one.until === two.until && TIMES.every((name) => String(one.place[name]) === String(two.place[name]));
    return one.quantity === two.quantity && isThen && atFault.some((name) => shared.includes(name));
  }
  const ofUsers = shared.every((name) => name !== 'host' && name !== 'target');
  const isAkin = [...AKIN, ...(ofUsers ? [ON_THE_LINE] : []), [one.quantity]].some(
    (family) => family.includes(one.quantity) && family.includes(two.quantity),
  );
  if (!isAkin) return false;
  if (dated === undefined || two.savedMs < REST * one.savedMs) return true;
  return undated !== undefined && mostlySince(undated, dated.since as number, waits);
}

function fieldsOf({ place }: Finding): Field[] {
  return (Object.keys(place) as Field[]).filter((name) => place[name] !== null);
}

function sharedFields(one: Finding, other: Finding): Field[] {
  return fieldsOf(one).filter((name) => String(one.place[name]) === String(other.place[name]));
}

function beganTogether(one: Suspect, other: Suspect): boolean {
  const isWithin = (day: number | null, interval: Suspect['sinceInterval']) =>
    day !== null && interval !== null && day >= interval[0] - 1 && day <= interval[1] + 1;
  if (one.since === null || other.since === null) return false;
  return isWithin(one.since, other.sinceInterval) || isWithin(other.since, one.sinceInterval);
}

function mostlySince({ rows, quantity, like }: Suspect, since: number, { day }: Waits): boolean {
  let [before, after] = [0, 0];
  for (const row of rows) {
    const more = (quantity.values[row] as number) - (like[row] as number);
    if ((day[row] as number) < since - 1) before += more;
    else after += more;
  }
  return before < REST * after;
}

function together({ finding: one, suspect }: Found, { finding: two, suspect: second }: Found): Found {
  const shared = sharedFields(one, two);
  const isInside = shared.length === fieldsOf(one).length || two.savedMs < REST * one.savedMs;
  const isApart = !isInside && shared.length < fieldsOf(two).length;
  const kept = isInside ? fieldsOf(one) : isApart ? shared.filter((name) => SHARED.includes(name)) : shared;
  const both = (read: (finding: Finding) => number) => read(one) + read(two);
  const affected = (read: (finding: Finding) => number) => (isApart ? both(read) : Math.max(read(one), read(two)));
  const savedMs = both((finding) => finding.savedMs);
  const affectedRequests = affected((finding) => finding.affectedRequests);
  const { since, sinceInterval } = suspect.since === null && one.shape !== 'drift' ? second : suspect;
  const day = one.since === null && one.shape !== 'drift' ? two : one;
  return {
    suspect: { ...suspect, since, sinceInterval },
    finding: {
      ...one,
      place: { ...ANYWHERE, ...Object.fromEntries(kept.map((name) => [name, one.place[name]])) },
      affectedRequests,
      affectedShare: affected((finding) => finding.affectedShare),
      savedMs,
      savedShare: both((finding) => finding.savedShare),
      savedInterval: [both(({ savedInterval: [low] }) => low), both(({ savedInterval: [, high] }) => high)],
      perRequestMs: savedMs / Math.max(1, affectedRequests),
      since: day.since,
      sinceInterval: day.sinceInterval,
    },
  };
}
