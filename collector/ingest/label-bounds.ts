import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { CalendarMonth } from './calendar-month.ts';
import { NameCandidates } from './name-candidates.ts';
import { KnownName, NameRoom, type NameSender } from './name-room.ts';

/** How often it is asked which labels are long known, and only while one has no room, ms. */
const ASK_EVERY_MS = 3_600_000;

/** Returns what labels are stored as, in their order; the very same list where all keep their names. */
export type LabelBounds = (labels: readonly string[], now: number, sender: NameSender) => readonly string[];

/**
 * Bounds labels, which are free text to the collector and multiply what is stored: those for which a key has no room become
 * `(other)`. As with other names, those that several browsers of standing sent never give way.
 *
 * @param perKey labels a key may introduce a month; all keys together twice as many
 * @param longKnown labels that have room in any case, those that are known longest first: a site of one or two browsers is
 *   never confirmed by several, and whoever invents labels comes after those that were there before
 */
export function createLabelBounds(
  perKey: number,
  longKnown: (limit: number) => readonly string[] = () => [],
): LabelBounds {
  const candidates = new NameCandidates();
  const total = { used: 0, max: 2 * perKey };
  const room = new NameRoom({ perKey, guaranteed: 0, total }, candidates, (sender) => new KnownName(sender));
  const month = new CalendarMonth();
  let askedAt = Number.NEGATIVE_INFINITY;

  function stored(label: string, now: number, sender: NameSender): string {
    if (label === '' || label === OVERFLOW_NAME || room.admit(label, sender) !== undefined) return label;
    if (Math.abs(now - askedAt) >= ASK_EVERY_MS) {
      askedAt = now;
      room.configure(new Set(longKnown(perKey / 2)));
    }
    return room.names.has(label) ? label : OVERFLOW_NAME;
  }

  return (labels, now, sender) => {
    if (month.turns(now)) room.beginMonth();
    candidates.beginBody();
    const bound = labels.map((label) => stored(label, now, sender));
    return bound.every((label, place) => label === labels[place]) ? labels : bound;
  };
}
