const DAY_MS = 24 * 3_600_000;
const WEEK = 7;

/**
 * Ticks of a time axis at local midnights, at even distances: d3's multi-day ticks restart with each month, so that the labels of
 * the 31st and the 1st touch. If there are fewer days than ticks, returns the number of ticks, so that d3 chooses hours.
 */
export function dayTicks(from: Date, to: Date, most: number): Date[] | number {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days <= most) return most;
  const step = Math.ceil(days / most);
  // Weeks, if each tick has more than half of one.
  const every = 2 * step > WEEK ? WEEK * Math.ceil(step / WEEK) : step;
  const midnight = (day: number) => new Date(from.getFullYear(), from.getMonth(), from.getDate() + day);
  const ticks: Date[] = [];
  for (let day = midnight(0) < from ? 1 : 0; midnight(day) <= to; day += every) ticks.push(midnight(day));
  return ticks;
}
