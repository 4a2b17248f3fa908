import type { Settings } from '../../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import type { FleetSource } from '../fill-fleet.ts';
import { RandomStream } from '../random-stream.ts';
import { type Row, uuid, writeBatch } from '../write-batch.ts';
import { PageLoads } from './page-load.ts';
import { momentOfDay, type Person, peopleOf, presence, updated } from './people.ts';
import type { WorldApp, WorldPlan } from './world-plan.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const THINK_SPREAD = 0.9;
const BETWEEN_VISITS_MS = 180_000;
const BATCH_ROWS = 500;
const BATCH_MS = 60_000;
/** Nothing of it is ever too old to be shown. */
const KEPT_DAYS = 36_500;

export interface WorldBatch {
  readonly person: Person;
  readonly wire: WireBatch;
}

/** Plays the plan day by day; the same plan gives the same batches. */
export function* generateWorld(plan: WorldPlan): Generator<WorldBatch> {
  const people = peopleOf(plan);
  const loads = new PageLoads(plan);
  const perDay = visitsPerDay(plan, people);
  for (let day = 0; day < plan.days; day++) {
    const batches: WorldBatch[] = [];
    for (const owner of people) {
      const person = updated(plan, owner, day);
      const rows = playDay(plan, loads, person, day, perDay * presence(plan, person, day));
      for (const { rows: sent, sentAt } of packed(rows)) {
        const random = new RandomStream(plan.seed, 108, person.number, sentAt % 2 ** 31, sent.length);
        batches.push({ person, wire: writeBatch(person, clientId(plan, person.number, sentAt), sent, sentAt, random) });
      }
    }
    yield* batches.sort((a, b) => a.wire.sentAt - b.wire.sentAt);
  }
}

/** For a store; its settings are what an admin would have set. */
export function toWorldSource(plan: WorldPlan): FleetSource {
  const schemes = new Map(plan.hosts.map(({ name, traits }) => [name, traits.scheme]));
  const settings: Settings = {
    version: 1,
    targets: plan.apps.map(({ id, name, host }) => ({
      id,
      name,
      match: [`${schemes.get(host) ?? 'https'}://${host}/*`],
    })),
    probes: { enabled: false, schedule: [] },
    alerts: { webhooks: [], rules: [] },
    retention: { sampleDays: KEPT_DAYS, hourDays: KEPT_DAYS, dayDays: KEPT_DAYS, monthDays: null },
  };
  return { from: plan.from, days: plan.days, settings, batches: () => generateWorld(plan) };
}

/** A browser's number by its id; ids change on the first of a month. */
export function numbersOfWorld(plan: WorldPlan): (client: string) => number | undefined {
  const numbers = new Map<string, number>();
  for (const { number } of peopleOf(plan)) {
    for (let day = -1; day <= plan.days; day++) numbers.set(clientId(plan, number, plan.from + day * DAY_MS), number);
  }
  return (client) => numbers.get(client);
}

function clientId(plan: WorldPlan, number: number, at: number): string {
  const date = new Date(at);
  return uuid(new RandomStream(plan.seed, 109, number, date.getUTCFullYear(), date.getUTCMonth()));
}

/** So many that the fleet has about as many samples as the plan says, whatever is planted in it. */
function visitsPerDay(plan: WorldPlan, people: readonly Person[]): number {
  const usual = { ...plan, habits: [] };
  let perVisit = 0;
  for (const person of people) {
    const total = person.apps.reduce((sum, { weight }) => sum + weight, 0);
    const samples =
      person.apps.reduce((sum, { index, weight }) => sum + weight * samplesOf(plan.apps[index] as WorldApp), 0) / total;
    for (let day = 0; day < plan.days; day++) perVisit += samples * presence(usual, person, day);
  }
  return plan.samples / perVisit;
}

function samplesOf({ pages, views }: WorldApp): number {
  const weights = pages.reduce((sum, { weight }) => sum + weight, 0);
  const counted = pages.reduce((sum, { weight, requests }) => {
    return sum + weight * requests.reduce((count, { traits }) => count + (traits.heldMs > 0 ? 0 : traits.count), 0);
  }, 0);
  return (views * counted) / weights;
}

function playDay(plan: WorldPlan, loads: PageLoads, person: Person, day: number, meanVisits: number): Row[] {
  const random = new RandomStream(plan.seed, 110, person.number, day);
  const midnight = plan.from + day * DAY_MS - person.site.zoneHours * HOUR_MS;
  // A browser that is used far more than others is used all day long.
  const visits = meanVisits > 30 ? Math.round(meanVisits) : random.poisson(meanVisits);
  const starts = Array.from({ length: visits }, () => midnight + momentOfDay(person.site, random)).sort(
    (a, b) => a - b,
  );
  const rows: Row[] = [];
  let free = 0;
  starts.forEach((wished, visit) => {
    const own = new RandomStream(plan.seed, 111, person.number, day, visit);
    const app = plan.apps[own.pick(person.apps).index] as WorldApp;
    let at = Math.max(wished, free);
    for (let view = Math.ceil(own.exponential(app.views)); view > 0; view--) {
      const think = own.lognormal(app.thinkMs, THINK_SPREAD);
      const done = loads.play(person, app, at, think, [person.number, day, visit, view], rows);
      at = Math.max(at + think, done + 300);
    }
    free = at + own.exponential(BETWEEN_VISITS_MS);
  });
  return rows.sort((a, b) => a.at - b.at);
}

function* packed(rows: readonly Row[]): Generator<{ rows: Row[]; sentAt: number }> {
  let open: Row[] = [];
  const close = () => {
    const ended = open.reduce((last, { at, times }) => Math.max(last, at + (times.ttlb ?? 0) / 1000), 0);
    const sent = { rows: open, sentAt: Math.ceil(Math.max((open[0] as Row).at + BATCH_MS, ended + 500)) };
    open = [];
    return sent;
  };
  for (const row of rows) {
    const [first] = open;
    if (first !== undefined && (open.length === BATCH_ROWS || row.at - first.at > BATCH_MS)) yield close();
    open.push(row);
  }
  if (open.length > 0) yield close();
}
