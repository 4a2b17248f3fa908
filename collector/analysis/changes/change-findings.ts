import { ANYWHERE, type Finding, type FindingPlace } from '../findings/finding.ts';
import type { ChangeEvent } from './change-events.ts';
import { changedWait, type GroupChange } from './group-change.ts';

/** Less of all waiting is not worth a sentence among the findings; the list of changes has it. */
const MIN_SHARE = 0.005;

/** Both are known to a day. */
const MAX_APART_MS = 24 * 3_600_000;

interface Whole {
  /** What users waited for in all, ms, and in how many requests. */
  readonly waitedMs: number;
  readonly requests: number;
}

/**
 * What got slower, as findings: what it was before is what could be saved. What got faster needs nothing done.
 * @param causes a change that one of these explains, at the same host from the same day, is left out
 */
export function changeFindings(
  events: readonly ChangeEvent[],
  { waitedMs, requests }: Whole,
  causes: readonly Pick<Finding, 'place' | 'since'>[] = [],
): Finding[] {
  return ofCauses(events)
    .filter(({ lead }) => lead.direction === 'slower' && changedWait(lead) >= MIN_SHARE * waitedMs)
    .filter((event) => !causes.some((cause) => explains(cause, event)))
    .map((event): Finding => {
      const { lead } = event;
      return {
        kind: 'change',
        place: toPlace(event),
        phase: null,
        affectedRequests: lead.requests,
        affectedShare: Math.min(1, lead.requests / requests),
        affectedBrowsersShare: null,
        savedMs: changedWait(lead),
        savedInterval: [lead.interval[0] * lead.requests, lead.interval[1] * lead.requests],
        savedShare: changedWait(lead) / waitedMs,
        perRequestMs: lead.difference,
        since: lead.since,
        facts: { beforeMs: lead.before, afterMs: lead.after },
      };
    });
}

/**
 * Without those of sites only, if an app or a host changed in the same direction: its users are somewhere, so that their sites
 * change with it.
 */
export function ofCauses(events: readonly ChangeEvent[]): ChangeEvent[] {
  const isOfSites = ({ lead, others }: ChangeEvent) => [lead, ...others].every(isOfSite);
  const explained = new Set(events.filter((event) => !isOfSites(event)).map(({ lead }) => lead.direction));
  return events.filter((event) => !(isOfSites(event) && explained.has(event.lead.direction)));
}

/** As narrow as all of its groups allow: one app, one host, one type; a site only if nothing else changed. */
export function toPlace({ lead, others }: ChangeEvent): FindingPlace {
  const all = [lead, ...others];
  const only = (name: 'target' | 'host' | 'type' | 'site') => {
    const values = new Set(all.flatMap((change) => change[name] ?? []));
    return values.size === 1 ? ([...values][0] ?? null) : null;
  };
  const [target, host] = [only('target'), only('host')];
  const isOfSites = all.every(isOfSite);
  return {
    ...ANYWHERE,
    target,
    host,
    type: host === null ? null : only('type'),
    site: isOfSites ? only('site') : null,
  };
}

function explains({ place, since }: Pick<Finding, 'place' | 'since'>, event: ChangeEvent): boolean {
  if (since === null || place.host === null || toPlace(event).host !== place.host) return false;
  // Its groups changed together, some of them on a day that fewer requests tell.
  const days = [event.lead, ...event.others].flatMap(({ sinceInterval }) =>
    sinceInterval.map((day) => Date.parse(day)),
  );
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const at = Date.parse(since);
  return at >= first - MAX_APART_MS && at <= last + MAX_APART_MS;
}

function isOfSite({ target, host }: GroupChange): boolean {
  return target == null && host == null;
}
