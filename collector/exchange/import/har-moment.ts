import { zonedMoment } from '../../analysis/time/zoned-time.ts';

const MINUTE_MS = 60_000;
/** The first HAR was written in 2007. Clocks that were never set write 1970; the bounds keep out typing errors. */
const FIRST = Date.UTC(2000, 0);
const AFTER_LAST = Date.UTC(2100, 0);

/** ISO 8601 with a date and a time. The decimal sign may be a comma; an offset may lack its minutes or its colon. */
const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:(Z|UTC|GMT)|([+-])(\d\d)(?::?([0-5]\d))?)?$/i;
/** HTTP dates and JavaScript's `Date.toString()`. Date.parse would read 30 February as 2 March. */
const ENGLISH =
  /^[A-Z][a-z]{2},? (?:(\d\d?) ([A-Z][a-z]{2})|([A-Z][a-z]{2}) (\d\d?)) (\d{4}) (\d\d:\d\d(?::\d\d)?) (?:GMT|UTC)([+-]\d{4})?(?: \([^()]*\))?$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type MomentFault = 'bad_time' | 'no_zone' | 'bad_year';

/**
 * The instant of a `startedDateTime`, epoch ms, or why it names none. A time without a zone would mean another instant on
 * each machine.
 *
 * @param zone of times that name none; null refuses them
 */
export function momentAt(text: string, zone: string | null): number | MomentFault {
  const at = isoMoment(text.replace(ENGLISH, toIso), zone);
  return typeof at === 'string' || (at >= FIRST && at < AFTER_LAST) ? at : 'bad_year';
}

/** Both name an offset from GMT, so every machine reads the same instant. */
function toIso(_all: string, ...parts: readonly (string | undefined)[]): string {
  const [day1, month1, month2 = month1 ?? '', day2 = day1 ?? '', year, time, offset = 'Z'] = parts;
  const month = `${MONTHS.indexOf(month2) + 1}`.padStart(2, '0');
  return `${year}-${month}-${day2.padStart(2, '0')}T${time}${offset}`;
}

function isoMoment(text: string, zone: string | null): number | MomentFault {
  const found = ISO.exec(text);
  if (found === null) return 'bad_time';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [, , , , , , , fraction = '', utc, sign, offsetHours, offsetMinutes = '0'] = found;
  // 30 February.
  const exists = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text.slice(0, 10));
  if (!exists || hour > 23 || minute > 59 || second > 59 || Number(offsetHours ?? 0) > 23) return 'bad_time';
  const minutes = hour * 60 + minute;
  const rest = second * 1000 + Number(`0.${fraction || 0}`) * 1000;
  if (utc === undefined && sign === undefined) {
    return zone === null ? 'no_zone' : zonedMoment(zone, year, month, day, minutes) + rest;
  }
  const offset = Number(offsetHours ?? 0) * 60 + Number(offsetMinutes);
  return Date.UTC(year, month - 1, day) + (minutes - (sign === '-' ? -offset : offset)) * MINUTE_MS + rest;
}
