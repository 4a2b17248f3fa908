const MINUTE_MS = 60_000;

/** A moment as a clock on the wall of a zone shows it. `weekday` is 0 on Sunday. */
export interface WallTime {
  readonly year: number;
  /** 1 … 12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** @param at epoch ms */
export function wallTime(at: number, zone: string): WallTime {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return { year, month, day, hour, minute, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay() };
}

/**
 * The moment at which that clock shows a time, epoch ms. Days and months may run over their ends. Where the clock is
 * turned forward over it, the moment right after; where it shows it twice, the first one.
 */
export function momentOf(zone: string, year: number, month: number, day: number, minutes = 0): number {
  const wanted = Date.UTC(year, month - 1, day) + minutes * MINUTE_MS;
  const tries = [wanted - 24 * 60 * MINUTE_MS, wanted + 24 * 60 * MINUTE_MS].map((at) => wanted - offset(at, zone));
  const [early = wanted, late = wanted] = tries.sort((a, b) => a - b);
  if (early + offset(early, zone) === wanted) return early;
  return late;
}

/** What the zone is ahead of UTC, ms. */
function offset(at: number, zone: string): number {
  const { year, month, day, hour, minute } = wallTime(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}
