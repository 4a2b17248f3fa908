import { QueryError } from './query-error.ts';

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6, with at most the milliseconds a Date holds. */
const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d)(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** Epoch milliseconds. Throws QueryError `invalid_time`. */
export function parseTime(name: string, text: string): number {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  const time = Date.parse(text.toUpperCase());
  if (day === undefined || Number.isNaN(time) || Number(day) > daysInMonth(Number(year), Number(month))) {
    throw new QueryError(
      'invalid_time',
      `${name} is not a time`,
      'Use RFC 3339 with its zone, such as 2026-03-01T00:00:00Z; in a URL write + as %2B.',
    );
  }
  return time;
}

/** Date.parse rolls 30 February over to March. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
