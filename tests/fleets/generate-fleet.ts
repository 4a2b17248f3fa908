import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { type Browser, browsersOf } from './browser.ts';
import type { AppPlan, FleetPlan } from './plan.ts';
import { Line } from './play-request.ts';
import { createViewPlayer } from './play-view.ts';
import { RandomStream } from './random-stream.ts';
import { type Row, type Sender, uuid, writeBatch } from './write-batch.ts';

const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const MEAN_VIEWS = 9;
/** Reading, telephone calls, other work: what lies between two page views of one visit beside the app's own dwelling time. */
const DWELL_SPREAD = 0.8;
/** The extension sends at least once a minute; a batch is far smaller than its limit. */
const MAX_BATCH_ROWS = 400;
const SEND_AFTER_MS = 60_000;
const LUNCH = [12, 13] as const;
const LUNCH_SHARE = 0.35;

/** A batch with the number of its browser in the fleet, which no sample tells. */
export interface FleetBatch {
  readonly browser: Browser;
  readonly wire: WireBatch;
}

/**
 * Plays the plan and yields what the browsers send, day by day and within each day in the order in which it is sent. The same
 * plan gives the same batches.
 */
export function* generateFleet(plan: FleetPlan): Generator<FleetBatch> {
  const browsers = browsersOf(plan);
  const line = new Line(plan);
  const playView = createViewPlayer(plan, line);
  const visits = visitsPerDay(plan, browsers);
  for (let day = 0; day < plan.days; day++) {
    const batches: FleetBatch[] = [];
    for (const browser of browsers) {
      const mean = visits * browser.activity * presence(plan, browser, day);
      for (const { rows, sentAt } of deliveries(playDay(plan, browser, day, mean, playView))) {
        const random = new RandomStream(plan.seed, 3, browser.number, sentAt % 2 ** 31, rows.length);
        batches.push({
          browser,
          wire: writeBatch(senderOf(browser), clientId(plan, browser, sentAt), rows, sentAt, random),
        });
      }
    }
    yield* batches.sort((a, b) => a.wire.sentAt - b.wire.sentAt);
  }
}

function senderOf({ site, firefox, version, clockStep }: Browser): Sender {
  return { site, engine: firefox ? 'firefox' : 'chromium', fullVersion: version, clockStep };
}

/** A browser's id of that month, UTC. */
function clientId(plan: FleetPlan, browser: Browser, at: number): string {
  const date = new Date(at);
  return uuid(new RandomStream(plan.seed, 4, browser.number, date.getUTCFullYear(), date.getUTCMonth()));
}

/** Which browser has which id in the plan's months: ids change on the first. */
export function numbersOfClients(plan: FleetPlan): (client: string) => number | undefined {
  const numbers = new Map<string, number>();
  for (const browser of browsersOf(plan)) {
    for (let day = -1; day <= plan.days; day++) {
      numbers.set(clientId(plan, browser, plan.from + day * DAY_MS), browser.number);
    }
  }
  return (client) => numbers.get(client);
}

function presence(plan: FleetPlan, { site }: Browser, day: number): number {
  const weekday = new Date(plan.from + day * DAY_MS).getUTCDay();
  return site.activity * (weekday === 0 || weekday === 6 ? site.weekend : 1);
}

/** So many that the fleet has about as many samples as the plan says. */
function visitsPerDay(plan: FleetPlan, browsers: readonly Browser[]): number {
  let perVisit = 0;
  for (const browser of browsers)
    perVisit += browser.activity * daysOf(plan, browser) * MEAN_VIEWS * samplesPerView(plan, browser);
  return plan.samples / perVisit;
}

function daysOf(plan: FleetPlan, browser: Browser): number {
  let sum = 0;
  for (let day = 0; day < plan.days; day++) sum += presence(plan, browser, day);
  return sum;
}

function samplesPerView(plan: FleetPlan, browser: Browser): number {
  const ofApps = browser.apps.map(({ index, weight }) => weight * samplesOf(plan.apps[index] as AppPlan));
  return ofApps.reduce((a, b) => a + b, 0) / browser.apps.reduce((sum, { weight }) => sum + weight, 0);
}

function samplesOf(app: AppPlan): number {
  const weights = app.pages.reduce((sum, { weight }) => sum + weight, 0);
  const samples = app.pages.map((page) => {
    const live = page.live === undefined ? 0 : page.live.kind === 'event_stream' ? 1 : 1 + app.dwellMs / 25_000;
    return page.weight * (1 + live + page.resources.reduce((sum, { count }) => sum + count, 0));
  });
  return samples.reduce((a, b) => a + b, 0) / weights;
}

/** All rows of one browser's day, in the order in which the requests begin. */
function playDay(
  plan: FleetPlan,
  browser: Browser,
  day: number,
  meanVisits: number,
  playView: ReturnType<typeof createViewPlayer>,
): Row[] {
  const random = new RandomStream(plan.seed, 2, browser.number, day);
  // Machines that are switched off probe nothing.
  const rows: Row[] = random.chance(presence(plan, browser, day)) ? playView.probes(browser, day) : [];
  const midnight = plan.from + day * DAY_MS - browser.site.zoneHours * HOUR_MS;
  const starts = Array.from(
    { length: random.poisson(meanVisits) },
    () => midnight + HOUR_MS * hourOfVisit(browser, random),
  );
  let free = 0;
  let number = 0;
  for (const wished of starts.sort((a, b) => a - b)) {
    let at = Math.max(wished, free);
    const app = plan.apps[random.pick(browser.apps).index] as AppPlan;
    const views = 1 + Math.floor(random.exponential(MEAN_VIEWS - 0.5));
    for (let view = 0; view < views; view++) {
      const dwell = random.lognormal(app.dwellMs, DWELL_SPREAD);
      const done = playView.page(
        browser,
        app,
        at,
        dwell,
        new RandomStream(plan.seed, 5, browser.number, day, number++),
        rows,
      );
      at = Math.max(done, at + dwell);
    }
    free = at + random.exponential(120_000);
  }
  return rows.sort((a, b) => a.at - b.at);
}

/** Uniform over the working hours, with a dip at noon. */
function hourOfVisit({ site }: Browser, random: RandomStream): number {
  const [from, to] = site.hours;
  for (;;) {
    const hour = from + (to - from) * random.uniform();
    if (hour < LUNCH[0] || hour >= LUNCH[1] || random.chance(LUNCH_SHARE)) return hour;
  }
}

/** A batch is sent a minute after its first request, and never before its last has ended. */
function* deliveries(rows: readonly Row[]): Generator<{ rows: Row[]; sentAt: number }> {
  let open: Row[] = [];
  const close = () => {
    const ended = open.reduce((last, { at, times }) => Math.max(last, at + (times.ttlb ?? 0) / 1000), 0);
    const delivery = { rows: open, sentAt: Math.ceil(Math.max((open[0] as Row).at + SEND_AFTER_MS, ended + 1000)) };
    open = [];
    return delivery;
  };
  for (const row of rows) {
    const [first] = open;
    if (first !== undefined && (open.length === MAX_BATCH_ROWS || row.at - first.at > SEND_AFTER_MS)) yield close();
    open.push(row);
  }
  if (open.length > 0) yield close();
}
