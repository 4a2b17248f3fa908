import { describe, expect, it } from 'vitest';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { toTemplate } from '../../shared/redact/path-template.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { BROWSER_ERRORS } from '../../shared/vocabulary/browser-errors.ts';
import { PHASES, type TimeName } from '../../shared/vocabulary/time-names.ts';
import type { UnknownReason } from '../../shared/vocabulary/vocabulary.ts';
import { basePlan } from '../fleets/base-plan.ts';
import { plant } from '../fleets/causes.ts';
import { settingsOf } from '../fleets/fill-fleet.ts';
import { generateFleet } from '../fleets/generate-fleet.ts';
import { FLEET_NAMES, namedFleet } from '../fleets/named-fleets.ts';
import { CAUSE_NAMES, type CauseName, type FleetPlan, type Truth } from '../fleets/plan.ts';
import { savedByCure } from '../fleets/saved-by-cure.ts';
import { rounds } from '../rounds.ts';

const DAY_MS = 24 * 3_600_000;
/** A Monday; the month changes on the 21st day. */
const FROM = Date.UTC(2026, 9, 12);

/** An eighth in `npm test`: what is tested is a part of the tests. */
function some<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => index % rounds(8, 1) === 0);
}

function smallPlan(samples = 20_000, seed = 4): FleetPlan {
  return basePlan({ name: 'small', seed, from: FROM, days: 28, samples, browsers: 60, apps: 4, variety: 0.2 });
}

interface Read {
  readonly at: number;
  readonly client: string;
  readonly site: string;
  readonly browser: number;
  readonly engine: string;
  readonly clockStep: number;
  readonly [column: string]: unknown;
  readonly times: Readonly<Record<TimeName, number | null>>;
  readonly unknown: Readonly<Partial<Record<TimeName, UnknownReason>>>;
}

/** The samples as objects, read from the batches without the product's help. */
function read(plan: FleetPlan): Read[] {
  const rows: Read[] = [];
  for (const { browser, wire } of generateFleet(plan)) {
    const { at: deltas, times, ...columns } = wire.columns;
    const values = Object.entries(columns).map(([name, column]) => {
      const dictionary = wire.dictionaries[name as keyof typeof wire.dictionaries] as readonly unknown[] | undefined;
      return [name, column as readonly (number | null)[], dictionary] as const;
    });
    const durations = Object.entries(times);
    let at = 0;
    for (let i = 0; i < wire.n; i++) {
      at += deltas[i] ?? 0;
      const row: Record<string, unknown> = {
        at,
        browser: browser.number,
        client: wire.client,
        site: wire.site,
        engine: wire.browser,
        clockStep: wire.clockStep,
        excluded: null,
        error: null,
      };
      for (const [name, column, dictionary] of values) {
        const value = column[i] ?? null;
        row[name] = dictionary === undefined || value === null ? value : dictionary[value];
      }
      row.unknown ??= {};
      row.times = Object.fromEntries(durations.map(([name, column]) => [name, column[i] ?? null]));
      rows.push(row as unknown as Read);
    }
  }
  return rows;
}

const nothing = read(smallPlan());
const usable = (rows: readonly Read[]) =>
  rows.filter((row) => row.excluded === null && ['new', 'reused'].includes(row.connection as string));

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
function timesOf(rows: readonly Read[], name: TimeName): number[] {
  return rows.flatMap(({ times }) => (times[name] === null ? [] : [(times[name] as number) / 1000]));
}
function share(rows: readonly Read[], holds: (row: Read) => boolean): number {
  return rows.filter(holds).length / rows.length;
}

describe('a generated fleet', () => {
  it('is the same for the same plan, and another for another seed', () => {
    const batches = (seed: number) => [...generateFleet(smallPlan(2000, seed))].map(({ wire }) => JSON.stringify(wire));
    expect(batches(1)).toEqual(batches(1));
    expect(batches(1)).not.toEqual(batches(2));
  });

  it.each(some(CAUSE_NAMES))('is accepted by the collector to the last sample: %s', (cause) => {
    const { plan } = plant(smallPlan(4000), [cause]);
    let sent = 0;
    let last = 0;
    const ids = new Set<string>();
    for (const { wire } of generateFleet(plan)) {
      const batch = decodeBatch(wire, wire.sentAt);
      expect(batch.ok && batch.rejected).toEqual([]);
      expect(wire.sentAt).toBeGreaterThanOrEqual(
        Math.floor((wire.sentAt - plan.from) / DAY_MS) < 0 ? 0 : last - DAY_MS,
      );
      last = wire.sentAt;
      ids.add(wire.batch);
      sent += wire.n;
    }
    expect(ids.size).toBeGreaterThan(20);
    expect(sent / plan.samples).toBeGreaterThan(0.5);
    expect(sent / plan.samples).toBeLessThan(1.7);
  });

  it('adds up: the known phases are the total wherever docs/measurement.md says so', () => {
    const mayLack: readonly (UnknownReason | undefined)[] = ['plain_http', 'merged_h3', 'firefox_dns'];
    let exact = 0;
    for (const { times, unknown, clockStep } of nothing) {
      if (times.ttlb === null) continue;
      const sum = PHASES.reduce((total, phase) => total + (times[phase] ?? 0), 0);
      expect(sum).toBeLessThanOrEqual(times.ttlb);
      for (const value of Object.values(times)) expect((value ?? 0) % clockStep).toBe(0);
      if (!Object.values(unknown).every((reason) => mayLack.includes(reason))) continue;
      exact++;
      expect(sum).toBe(times.ttlb);
    }
    expect(exact).toBeGreaterThan(nothing.length / 4);
  });

  it('gives reasons as each engine does', () => {
    const reasons = (engine: string) =>
      new Set(nothing.filter((row) => row.engine === engine).flatMap(({ unknown }) => Object.values(unknown)));
    expect([...reasons('chromium')].sort()).toEqual(['begun_earlier', 'cache', 'failed', 'merged_h3', 'opaque']);
    expect([...reasons('firefox')].sort()).toEqual(
      ['cache', 'failed', 'firefox_dns', 'firefox_tls13', 'merged_h3', 'opaque', 'queued'].sort(),
    );
  });

  it('opens a connection where the last answer is older than the time-out, and reuses it where it is not', () => {
    const plan = smallPlan();
    const limits = new Map(plan.hosts.map(({ name, keepAliveMs }) => [name, keepAliveMs]));
    const known = usable(nothing).filter(
      (row) => row.type === 'document' && row.idleMs !== null && (row.idleMs as number) > 1000,
    );
    const late = known.filter((row) => (row.idleMs as number) > (limits.get(row.host as string) ?? 0) + 100);
    const early = known.filter(
      (row) => (row.idleMs as number) < Math.min(60_000, (limits.get(row.host as string) ?? 0) - 100),
    );
    expect(late.length).toBeGreaterThan(200);
    expect(share(late, ({ connection }) => connection === 'new')).toBeGreaterThan(0.97);
    expect(share(early, ({ connection }) => connection === 'reused')).toBeGreaterThan(0.8);
  });

  it('is plausible', () => {
    const plan = smallPlan();
    expect(nothing.length / plan.samples).toBeGreaterThan(0.85);
    expect(nothing.length / plan.samples).toBeLessThan(1.15);
    const weekend = ({ at }: Read) => [0, 6].includes(new Date(at).getUTCDay());
    expect(share(nothing, weekend)).toBeLessThan(0.08);
    expect(share(usable(nothing), ({ connection }) => connection === 'reused')).toBeGreaterThan(0.5);
    expect(share(nothing, ({ connection }) => connection === 'cache')).toBeGreaterThan(0.2);
    expect(share(nothing, ({ excluded }) => excluded !== null)).toBeLessThan(0.06);
    for (const { name, rttMs } of plan.sites) {
      const tcp = timesOf(
        usable(nothing).filter(
          (row) => row.site === name && row.host === 'erp.example.com' && row.connection === 'new',
        ),
        'tcp',
      );
      expect(median(tcp) / rttMs.centre).toBeGreaterThan(0.75);
      expect(median(tcp) / rttMs.centre).toBeLessThan(1.5);
    }
    const wait = timesOf(
      usable(nothing).filter(({ host }) => host === 'erp.example.com'),
      'wait',
    );
    expect(median(wait)).toBeGreaterThan(30);
    expect(median(wait)).toBeLessThan(200);
    expect(share(usable(nothing), ({ times }) => (times.ttlb ?? 0) > 1_000_000)).toBeLessThan(0.01);
  });

  it('has new ids of browsers from the first of a month on', () => {
    const month = ({ at }: Read) => new Date(at).getUTCMonth();
    const of = (number: number) => new Set(nothing.filter((row) => month(row) === number).map(({ client }) => client));
    const [october, november] = [of(9), of(10)];
    expect(october.size).toBeGreaterThan(50);
    expect([...november].filter((client) => october.has(client)).length).toBeLessThanOrEqual(1);
    expect(october.size).toBeLessThanOrEqual(62);
  });

  it('spells paths and errors as the extension does', () => {
    for (const template of new Set(nothing.map((row) => row.template as string)))
      expect(toTemplate(template)).toBe(template);
    const errors = new Set(nothing.flatMap((row) => (row.error === null ? [] : [row.error as string])));
    expect(errors.size).toBeGreaterThan(1);
    for (const error of errors) expect(BROWSER_ERRORS).toContain(error);
  });

  it.each(FLEET_NAMES)('comes with settings that the collector accepts: %s', (name) => {
    const { plan } = namedFleet(name, FROM);
    expect(validateSettings(settingsOf(plan))).toMatchObject({ ok: true });
    expect(plan.hosts).toHaveLength(name === 'quiet' ? 18 : plan.hosts.length);
    expect(plan.sites).toHaveLength(6);
    expect(plan.sites.reduce((sum, { browsers }) => sum + browsers, 0)).toBeGreaterThan(290);
  });
});

/** What a cause changes, inside of what it names against the same fleet without it. */
type Effect = (rows: readonly Read[], truth: Truth) => number;

const onHost = (rows: readonly Read[], { host }: Truth) => usable(rows).filter((row) => row.host === host);
const onTemplate = (rows: readonly Read[], truth: Truth) =>
  onHost(rows, truth).filter((row) => row.template === truth.template);
const onSite = (rows: readonly Read[], { site }: Truth) => usable(rows).filter((row) => row.site === site);
const fresh = (rows: readonly Read[]) => rows.filter(({ connection }) => connection === 'new');
const since = (rows: readonly Read[], { day = 0 }: Truth) => rows.filter(({ at }) => at >= FROM + day * DAY_MS);
const before = (rows: readonly Read[], { day = 0 }: Truth) => rows.filter(({ at }) => at < FROM + day * DAY_MS);
const change = (rows: readonly Read[], truth: Truth) =>
  median(timesOf(since(onHost(rows, truth), truth), 'wait')) -
  median(timesOf(before(onHost(rows, truth), truth), 'wait'));

/** The figure with the cause less the one without it has to be in the range. */
const EFFECTS: readonly (readonly [CauseName, Effect, number, number])[] = [
  ['slow_endpoint', (rows, truth) => median(timesOf(onTemplate(rows, truth), 'wait')), 120, 2000],
  [
    'packet_loss',
    (rows, truth) => share(fresh(onHost(rows, truth)), ({ times }) => (times.tcp ?? 0) >= 1_000_000),
    0.01,
    0.07,
  ],
  [
    'keep_alive_edge',
    (rows, truth) =>
      share(
        onHost(rows, truth).filter(({ type }) => type === 'document'),
        ({ connection }) => connection === 'new',
      ),
    0.4,
    0.95,
  ],
  [
    'tickets_off',
    (rows, truth) =>
      mean(timesOf(fresh(since(onHost(rows, truth), truth)), 'tls')) -
      mean(timesOf(fresh(before(onHost(rows, truth), truth)), 'tls')),
    20,
    90,
  ],
  ['no_resumption', (rows, truth) => median(timesOf(fresh(onHost(rows, truth)), 'tls')), 20, 90],
  ['inspection', (rows, truth) => median(timesOf(fresh(onSite(rows, truth)), 'tls')), 25, 120],
  [
    'far_site',
    (rows, truth) =>
      median(
        timesOf(
          onSite(rows, truth).filter(({ host }) => host === 'api.erp.example.com'),
          'wait',
        ),
      ),
    90,
    160,
  ],
  ['slow_dns', (rows, truth) => share(fresh(onSite(rows, truth)), ({ times }) => (times.dns ?? 0) > 100_000), 0.2, 0.9],
  ['large_downloads', (rows, truth) => median(timesOf(onTemplate(rows, truth), 'receive')), 200, 4000],
  ['h1_queueing', (rows, truth) => mean(timesOf(onHost(rows, truth), 'blocked')), 40, 1000],
  [
    'cold_caches',
    (rows, { app }) =>
      share(
        rows.filter(({ target }) => target === app),
        ({ connection }) => connection === 'cache',
      ),
    -0.9,
    -0.3,
  ],
  [
    'overloaded_hour',
    (rows, truth) =>
      median(
        timesOf(
          onHost(rows, truth).filter(({ at, type }) => type === 'document' && new Date(at).getUTCHours() === 9),
          'wait',
        ),
      ),
    100,
    2000,
  ],
  [
    'slow_third_party',
    (rows, { host }) =>
      share(rows, (row) => row.host === host && row.connection === 'opaque' && (row.times.ttlb ?? 0) > 400_000),
    0.01,
    0.2,
  ],
  [
    'slow_third_party_visible',
    (rows, { host }) => share(usable(rows), (row) => row.host === host && (row.times.wait ?? 0) > 400_000),
    0.01,
    0.3,
  ],
  [
    'sick_browser',
    (rows, { browser }) =>
      median(
        timesOf(
          usable(rows).filter((row) => row.browser === browser),
          'blocked',
        ),
      ),
    500,
    2000,
  ],
  ['release_worse', change, 15, 500],
  ['fix_better', change, -300, -5],
  [
    'busy_site_line',
    (rows, truth) =>
      mean(
        timesOf(
          onSite(rows, truth).filter(({ at }) => [8, 9, 10].includes(new Date(at).getUTCHours())),
          'wait',
        ),
      ),
    60,
    200,
  ],
  [
    'error_burst',
    (rows, { host, day = 0 }) => {
      const failed = rows.filter((row) => row.host === host && row.status === 503);
      return failed.every(({ at }) => Math.floor((at - FROM) / DAY_MS) === day) ? failed.length : Number.NaN;
    },
    20,
    400,
  ],
  [
    'redirect_chain',
    (rows, { app }) =>
      share(
        rows.filter((row) => row.target === app && row.type === 'document'),
        ({ excluded }) => excluded === 'redirect',
      ),
    0.9,
    1,
  ],
  ['slow_host', (rows, truth) => median(timesOf(onHost(rows, truth), 'wait')), 60, 1000],
  [
    'lossy_site',
    (rows, truth) => share(fresh(onSite(rows, truth)), ({ times }) => (times.tcp ?? 0) >= 1_000_000),
    0.005,
    0.07,
  ],
  [
    'long_polling',
    (rows, truth) => share(onTemplate(rows, truth), ({ times }) => Math.abs((times.wait ?? 0) - 30_000_000) < 300_000),
    0.6,
    1,
  ],
  ['event_stream', (rows, truth) => median(timesOf(onTemplate(rows, truth), 'receive')), 54_000, 56_000],
  [
    'weekend_lull',
    (rows) => share(rows, ({ at, site }) => site === 'Frankfurt' && [0, 6].includes(new Date(at).getUTCDay())),
    -0.05,
    -0.0005,
  ],
  [
    'home_wifi',
    (rows) =>
      mean(
        timesOf(
          usable(rows).filter(({ site }) => site === 'Home'),
          'wait',
        ),
      ),
    4,
    60,
  ],
  [
    'mixed_schemes',
    (rows, { host }) =>
      share(
        rows.filter((row) => row.host === host),
        ({ scheme }) => scheme === 'http',
      ),
    1,
    1,
  ],
  [
    'abandoned_requests',
    (rows, { app }) =>
      share(
        rows.filter(({ target }) => target === app),
        ({ error }) => `${error}`.includes('ABORTED'),
      ),
    0.02,
    0.3,
  ],
];

describe('a planted cause', () => {
  it.each(some(EFFECTS))('is there in the raw samples: %s', (cause, effect, low, high) => {
    // A burst of errors lasts one day of 28.
    const { plan, truth } = plant(smallPlan(cause === 'error_burst' ? 80_000 : 20_000), [cause]);
    const [planted] = truth;
    if (planted === undefined) throw new Error('Nothing was planted.');
    const without = effect(nothing, planted);
    const difference = effect(read(plan), planted) - (Number.isNaN(without) ? 0 : without);
    expect(difference).toBeGreaterThanOrEqual(low);
    expect(difference).toBeLessThanOrEqual(high);
  });

  it('leaves what it does not touch as it was', () => {
    const { plan, truth } = plant(smallPlan(6000), ['far_site']);
    const elsewhere = (rows: readonly Read[]) => rows.filter(({ site }) => site !== truth[0]?.site);
    expect(elsewhere(read(plan))).toEqual(elsewhere(read(smallPlan(6000))));
  });

  it.each<[CauseName, number, number]>([
    ['slow_host', 100, 1000],
    ['keep_alive_edge', 5, 60],
    ['far_site', 50, 200],
    ['release_worse', 10, 300],
    ['fix_better', -200, -5],
    ['nothing', 0, 0],
  ])('costs what a fleet without it saves: %s', (cause, low, high) => {
    const without = smallPlan(8000);
    const { plan, truth } = plant(without, [cause]);
    const [planted] = truth;
    if (planted === undefined) throw new Error('Nothing was planted.');
    const saved = savedByCure(plan, without, planted);
    expect(saved).toBeGreaterThanOrEqual(low);
    expect(saved).toBeLessThanOrEqual(high);
  });

  it('can be planted beside another', () => {
    const { truth } = plant(smallPlan(), ['slow_endpoint', 'slow_dns']);
    expect(truth.map(({ cause }) => cause)).toEqual(['slow_endpoint', 'slow_dns']);
  });

  it('is somewhere else with another seed', () => {
    const places = new Set(
      [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => plant(smallPlan(100, seed), ['slow_host']).truth[0]?.host),
    );
    expect(places.size).toBeGreaterThan(1);
  });
});
