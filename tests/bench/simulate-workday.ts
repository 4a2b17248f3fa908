import { createDraws } from './draws.ts';

/** How people work: the assumptions that docs/operations.md names under Sizing. */
export const WORKDAY = {
  /** When the first page is opened, hours after midnight, and its standard deviation. One time zone: all begin together. */
  startHour: 8.5,
  startSpreadHours: 0.75,
  /** From the first page to the last, hours. */
  hours: 8,
  /** Visits of the watched apps in a day: one at the start, the others at any time. */
  visits: 8,
  /** Page views of a visit (geometric) and the mean time between them, seconds (exponential). */
  viewsPerVisit: 7.5,
  secondsBetweenViews: 25,
  /** Requests of a page view: median of a lognormal distribution with a mean of about 25. */
  medianRequests: 21,
  /** A batch is sent so long after the first sample that waits, seconds: the default of `delivery.intervalSeconds`. */
  deliverySeconds: 60,
  /** Settings are asked for so often while the browser runs, seconds. */
  settingsSeconds: 300,
} as const;

const DAY_SECONDS = 24 * 3600;
const MINUTE_SECONDS = 60;

export interface Workday {
  readonly samples: number;
  readonly batches: number;
  readonly settingsRequests: number;
  /** Mean of the busiest minute. */
  readonly peakSamplesPerSecond: number;
  readonly peakBatchesPerSecond: number;
  readonly peakSettingsPerSecond: number;
  /** Of the busiest second. */
  readonly mostBatchesInOneSecond: number;
}

/** One day of so many browsers, second by second, as the collector sees it. */
export function simulateWorkday(browsers: number, uniform: () => number): Workday {
  const draws = createDraws(uniform);
  const batchesAt = new Uint32Array(DAY_SECONDS);
  const samplesAt = new Uint32Array(DAY_SECONDS);
  const settingsAt = new Uint32Array(DAY_SECONDS);
  const exponential = (mean: number) => -mean * Math.log(1 - uniform());
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const views: number[] = [];
  for (let browser = 0; browser < browsers; browser++) {
    const start = 3600 * (WORKDAY.startHour + WORKDAY.startSpreadHours * normal());
    const span = 3600 * WORKDAY.hours;
    views.length = 0;
    for (let visit = 0; visit < WORKDAY.visits; visit++) {
      let at = visit === 0 ? start : start + span * uniform();
      do {
        views.push(at);
        at += exponential(WORKDAY.secondsBetweenViews);
      } while (uniform() < 1 - 1 / WORKDAY.viewsPerVisit);
    }
    views.sort((a, b) => a - b);
    let due = Number.NEGATIVE_INFINITY;
    for (const view of views) {
      if (view > due) {
        due = view + WORKDAY.deliverySeconds;
        count(batchesAt, due, 1);
      }
      count(samplesAt, due, Math.ceil(draws.spread(WORKDAY.medianRequests)));
    }
    for (let at = start + uniform() * WORKDAY.settingsSeconds; at < start + span; at += WORKDAY.settingsSeconds) {
      count(settingsAt, at, 1);
    }
  }
  return {
    samples: sum(samplesAt),
    batches: sum(batchesAt),
    settingsRequests: sum(settingsAt),
    peakSamplesPerSecond: busiestMinute(samplesAt),
    peakBatchesPerSecond: busiestMinute(batchesAt),
    peakSettingsPerSecond: busiestMinute(settingsAt),
    mostBatchesInOneSecond: batchesAt.reduce((most, n) => Math.max(most, n), 0),
  };
}

/** Past midnight it belongs to the next day, which is another one like it. */
function count(seconds: Uint32Array, at: number, n: number): void {
  const second = ((Math.floor(at) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  seconds[second] = (seconds[second] as number) + n;
}

function sum(values: Uint32Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A second, on average. */
function busiestMinute(seconds: Uint32Array): number {
  let most = 0;
  for (let minute = 0; minute < DAY_SECONDS; minute += MINUTE_SECONDS) {
    most = Math.max(most, sum(seconds.subarray(minute, minute + MINUTE_SECONDS)));
  }
  return most / MINUTE_SECONDS;
}
