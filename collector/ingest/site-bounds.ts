import { MAX_SITES, OVERFLOW_NAME } from '../../shared/wire/wire-limits.ts';
import { CalendarMonth } from './calendar-month.ts';
import { NameCandidates } from './name-candidates.ts';
import { KnownName, NameRoom, type NameSender } from './name-room.ts';

/**
 * Returns the label a site is stored under: its own, or `(other)` where its key has no room for another. Labels come from
 * policies, so they are free text to the collector, and every one multiplies the cells of a rollup.
 */
export function createSiteBounds(): (site: string, now: number, sender: NameSender) => string {
  const candidates = new NameCandidates();
  const total = { used: 0, max: 2 * MAX_SITES };
  const sites = new NameRoom(
    { perKey: MAX_SITES, guaranteed: 0, total },
    candidates,
    (sender) => new KnownName(sender),
  );
  const month = new CalendarMonth();

  return (site, now, sender) => {
    if (site === '' || site === OVERFLOW_NAME) return site;
    if (month.turns(now)) sites.beginMonth();
    candidates.beginBody();
    return sites.admit(site, sender) === undefined ? OVERFLOW_NAME : site;
  };
}
