/** Distinct browsers by calendar month (UTC): their ids change on the first. */
export interface BrowserCount {
  readonly browsers: number;
  /** `2026-10`: the month that has most, and of which `browsers` is the count; absent if all are of one month. */
  readonly browsersMonth?: string;
}

/** The number of a calendar month (UTC): months since January of year 0. */
export function calendarMonth(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Its first moment, epoch ms. */
export function calendarMonthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

/**
 * How many browsers there are in the month that has most of them.
 *
 * @param months of each id the month in which it was last seen: what a browser could not send before the first is
 *   delivered under its new id
 */
export function largestMonth(months: Iterable<number>): BrowserCount {
  const counts = new Map<number, number>();
  for (const month of months) counts.set(month, (counts.get(month) ?? 0) + 1);
  return mostInMonth(counts);
}

/** The same from the number of ids of each month. If several have most, it is the newest. */
export function mostInMonth(counts: ReadonlyMap<number, number>): BrowserCount {
  let browsers = 0;
  let largest = 0;
  for (const [month, n] of counts) {
    if (n < browsers || (n === browsers && month < largest)) continue;
    browsers = n;
    largest = month;
  }
  if (counts.size <= 1) return { browsers };
  return { browsers, browsersMonth: new Date(calendarMonthStart(largest)).toISOString().slice(0, 7) };
}
