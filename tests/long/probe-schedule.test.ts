import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowserSession } from '../../collector/lab/browser/browser-session.ts';
import { LAB_HOST, type LabSite, startLabSite } from '../../collector/lab/servers/lab-site.ts';
import type { RequestTruth } from '../../collector/lab/servers/server-truth.ts';
import { toScenario } from '../../shared/sample/scenario.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import type { ProbeRun } from '../../shared/wire/browser-status.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type Alarm, type IdleBrowser, startIdleBrowser } from '../browser/fixture/idle-browser.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: readonly Target[] = [
  { id: 'lab', name: 'Lab', match: [`https://${LAB_HOST}/*`, `http://${LAB_HOST}/*`] },
];
/** The alarm comes within a minute of the settings, in both browsers at once; then comes the ladder. */
const ALARM_MS = 120_000;
/** By what an alarm may come before its time. */
const TIMER_EARLY_MS = 100;

let site: LabSite;
const seen: RequestTruth[] = [];
const idle: IdleBrowser[] = [];
const running: { engine: string; collector: TestCollector; browser: BrowserSession }[] = [];

beforeAll(async () => {
  site = await startLabSite({
    now: Date.now(),
    roundTripMs: 20,
    serverDelayMs: 5,
    seen: (truth) => seen.push(truth),
  });
  const url = `https://${LAB_HOST}:${site.ports.tls13}/4k`;
  const always = { id: 'every-minute', target: 'lab', url, everyMinutes: 1, repetitions: 1 };
  const rarely = { id: 'once-a-day', target: 'lab', url: `https://${LAB_HOST}:1/4k`, everyMinutes: 1440 };
  for (const engine of ENGINES) {
    idle.push(await startIdleBrowser(engine, TARGETS, { probes: { enabled: true, schedule: [rarely] } }));
  }
  for (const engine of ENGINES) {
    const schedule = [engine === 'chromium' && (await mainsPower()) ? { ...always, onlyOnPower: true } : always];
    const collector = await startTestCollector(TARGETS, { probes: { enabled: true, requestsPerHour: 1000, schedule } });
    running.push({
      engine,
      collector,
      browser: await startMeasuredBrowser(engine, collector, TARGETS, [site.authority], undefined, true),
    });
  }
});
afterAll(async () => {
  for (const { browser, collector } of running) {
    await browser.close();
    await collector.close();
  }
  await Promise.all(idle.map((browser) => browser.close()));
  await site?.close();
});

test(
  'a probe of the settings runs by its alarm, and its samples reach the collector as such',
  async () => {
    for (const { engine, collector } of running) {
      const fresh = await until(
        `a new connection of a probe from ${engine}`,
        async () => {
          const samples = await collector.samples();
          return samples.find(({ source, excluded }) => source === 'probe-https-new' && excluded === null) ?? null;
        },
        ALARM_MS,
      );
      expect(fresh).toMatchObject({
        target: 'lab',
        host: LAB_HOST,
        template: '/{n}k',
        scheme: 'https',
        connection: 'new',
      });
      const samples = await collector.samples();
      // Nobody browsed: everything is a probe, and what counts is what its source says.
      for (const sample of samples) {
        expect(sample.source).toMatch(/^probe-/);
        if (sample.excluded === null) expect(sample.source).toBe(`probe-${toScenario(sample)}`);
      }
      expect(samples.some(({ excluded }) => excluded === 'warmup')).toBe(true);
      // The browser tells how the turn went: what was kept, by which way, and why the rest was not.
      const turn = await until(`${engine} told of its turn`, () => turnsOf(collector.bodies)[0] ?? null, ALARM_MS);
      expect(turn).toMatchObject({ probe: 'every-minute', target: 'lab', skipped: null, steps: [] });
      expect(turn.scenarios.find(({ scenario }) => scenario === 'https-new')).toMatchObject({ unavailable: null });
      expect(JSON.stringify(turn)).not.toContain('://');
    }
    expect(seen.every(({ probe, cookie }) => probe === 'every-minute' && cookie === null)).toBe(true);
  },
  3 * ALARM_MS,
);

test(
  'with a probe scheduled and nothing to do the background sleeps, and an alarm that was due is what wakes it',
  async () => {
    for (const { engine, diary } of idle) {
      // It was asleep in between: this is another life.
      const woken = await until(
        `${engine} was woken`,
        () => alarmsOf(diary, diary.lives()[1])[0] ?? null,
        2 * ALARM_MS,
      );
      const life = diary.lives()[1] ?? Number.NaN;
      expect(woken.scheduledTime, `${engine}: ${woken.name}`).toBeLessThanOrEqual(life + TIMER_EARLY_MS);
      // `recovery` is set at each start, and taken away a moment later.
      const lasting = woken.all.filter((name) => name !== 'recovery');
      expect(lasting).toEqual(['deliver', 'probe/once-a-day', 'settings']);
    }
  },
  3 * ALARM_MS,
);

function alarmsOf({ entries }: IdleBrowser['diary'], life: number | undefined): readonly Alarm[] {
  return entries.flatMap(({ born, told }) => (born === life && told !== null ? [told] : []));
}

/** Where this machine runs on battery, a probe for mains power would rightly never run. */
async function mainsPower(): Promise<boolean> {
  const supplies = await readdir('/sys/class/power_supply').catch(() => []); // no such folder: no battery
  const read = (name: string) => readFile(`/sys/class/power_supply/${name}/status`, 'utf8').catch(() => '');
  const states = await Promise.all(supplies.map(read));
  return states.every((state) => state.trim() !== 'Discharging');
}

function turnsOf(bodies: readonly string[]): readonly ProbeRun[] {
  return bodies.flatMap((body) => (JSON.parse(body) as WireBatch).status?.turns ?? []);
}
