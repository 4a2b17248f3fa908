import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type Fault, injectFaults } from '../browser/fixture/inject-faults.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { NO_ICON, startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.bounds.test/*'] }];
const IMAGES = 30;
/** Samples of one visit: the images and the page. */
const VISIT = IMAGES + 1;
/** In the order in which they are visited. */
const VISITS = ['one', 'two', 'three', 'four', 'five'] as const;
/** In place of 50,000 samples and 32 MB, which would take a browser minutes to reach; neither is a multiple of a visit. */
const MAX_ROWS = 80;
const MAX_BYTES = 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Browsers try again as soon as they have this answer, and each attempt says how much waits. */
const UNAVAILABLE = { status: 503, headers: { 'retry-after': '0' }, afterMs: 200 };
/** Longer than samples take to arrive: after that the page was loaded before the extension captured anything. */
const STAY_MS = 5_000;

const pageOf = (name: string) =>
  `<!doctype html><title>${name}</title>${NO_ICON}${Array.from({ length: IMAGES }, (_, index) => `<img src="/wait/0/${name}.gif?more=${index}">`).join('')}`;

describe.each(ENGINES)('what may wait in %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;
  /** Requests of pages that were visited and left before the browser measured. */
  let unmeasured: number;

  async function start(alter: (extensionDir: string) => Promise<void>): Promise<void> {
    const pages = Object.fromEntries(['sealed', ...VISITS].map((name) => [`/${name}`, pageOf(name)]));
    const ready = `<title>ready</title>${NO_ICON}`;
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': ready, '/settled': ready, ...pages } });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, [], alter);
    tab = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    let leaveAt = 0;
    await until('the first sample arrived', async () => {
      if (Date.now() >= leaveAt) {
        await tab.goto(url('/'));
        leaveAt = Date.now() + STAY_MS;
      }
      return (await samplesOf('/')).length > 0;
    });
    await tab.goto(url('/settled'));
    // The oldest is sent first: with this, all that was measured before has arrived.
    await until('nothing waits', async () => (await samplesOf('/settled')).length > 0);
    unmeasured = app.asked.length - (await accountedFor());
  }

  afterEach(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  const url = (path: string) => `http://app.bounds.test:${app.port}${path}`;
  const samplesOf = async (...templates: string[]): Promise<StoredSample[]> =>
    (await collector.samples()).filter(({ template }) => templates.includes(template));
  const visitOf = (name: string) => samplesOf(`/${name}`, `/wait/{n}/${name}.gif`);
  const status = () => (JSON.parse(collector.bodies.at(-1) ?? '{}') as Partial<WireBatch>).status;
  const toldDropped = () => status()?.dropped?.full ?? 0;
  /** Firefox on a busy machine may fire load before it knows when the answer ended: left then, a page counts as unfinished. */
  const unfinished = () => status()?.lost?.unfinished ?? 0;
  /** Of the requests measured since the start: those that wait, were made to go, or were left unfinished. */
  const held = () => (status()?.waiting ?? 0) + toldDropped() + unfinished();
  const accountedFor = async () => (await collector.samples()).length + toldDropped() + unfinished();

  /**
   * One batch is sealed and cannot be sent: what comes now piles up behind it. Resolves with its samples, which must not
   * count towards the limits, and with all that is held by then.
   */
  async function trouble(): Promise<{ sealed: number; atFirst: number }> {
    const met = collector.bodies.length;
    const before = unfinished();
    collector.door({ batches: UNAVAILABLE });
    await tab.goto(url('/sealed'));
    await until('a batch met it', () => collector.bodies.length > met);
    await until('the whole visit waits', () => held() >= before + VISIT);
    return { sealed: (JSON.parse(collector.bodies.at(-1) ?? '{}') as WireBatch).n, atFirst: held() };
  }

  /** Each visit waits on the disk, or has made others go, before the next begins. */
  async function visit(names: readonly string[], heldBefore: number): Promise<void> {
    for (const [index, name] of names.entries()) {
      await tab.goto(url(`/${name}`));
      await until(`/${name} is held`, () => held() >= heldBefore + (index + 1) * VISIT).catch((error) =>
        expect(`${error}: ${heldBefore} before, ${JSON.stringify(status())}`).toBe(''),
      );
    }
  }

  /** What is left of the visits, the oldest first. */
  async function left(): Promise<number[]> {
    return Promise.all(VISITS.map(async (name) => (await visitOf(name)).length));
  }

  /** Without another visit, which would be one more to wait and make others go. */
  async function drain(): Promise<void> {
    collector.door({ batches: 'open' });
    await until('what came last arrived', async () => (await visitOf('five')).length >= VISIT - unfinished());
    const asked = app.asked.length - unmeasured;
    let accounted = 0;
    await until('every request arrived or is counted', async () => {
      accounted = await accountedFor();
      return accounted === asked;
    }).catch((error) => expect(`${error}: ${accounted} of ${asked}, ${JSON.stringify(status())}`).toBe(''));
  }

  /** The popup asks once, when it opens; unfinished pages are in its sum too. */
  async function popupShows(): Promise<void> {
    const facts = 'document.getElementById("facts").textContent';
    let shown = '';
    const told = () => sum(Object.values(status()?.lost ?? {})) + toldDropped();
    await until('the popup shows what was told', async () => {
      const popup = await browser.open(`${browser.extensionOrigin}/popup.html`);
      shown = await until('the popup has asked', async () => String(await popup.evaluate(facts)) || null);
      await popup.close();
      return shown.includes(`Never arrived${told()} (queue full`);
    }).catch((error) => expect(`${error}: ${shown}, ${JSON.stringify(status())}`).toBe(''));
  }

  /** No visit has lost anything while an older one has something left. */
  function expectOldestGone(visits: readonly number[]): void {
    const younger = visits.slice(visits.findIndex((samples) => samples > 0) + 1);
    expect(younger.length * VISIT - sum(younger), String(visits)).toBeLessThanOrEqual(unfinished());
  }

  test('samples: past the limit the oldest go, are counted and told, and no more of them than need be', async () => {
    await start(lowerLimit('=5e4', MAX_ROWS));
    const { sealed, atFirst } = await trouble();
    await visit(VISITS, atFirst);
    // A visit may be queued after this attempt has dropped the oldest and before it counts what waits.
    await until('what is too much went', () => (status()?.waiting ?? Number.POSITIVE_INFINITY) <= sealed + MAX_ROWS);
    await until('it is told', () => toldDropped() || null);
    await popupShows();
    await drain();
    const visits = await left();
    expectOldestGone(visits);
    const arrived = sum(visits);
    expect(arrived).toBeLessThanOrEqual(MAX_ROWS);
    expect(arrived).toBeGreaterThan(MAX_ROWS - VISIT); // whole groups go
  });

  test('bytes: the same, long before there are too many samples', async () => {
    await start(lowerLimit('=32*1024*1024', MAX_BYTES));
    const { atFirst } = await trouble();
    await visit(VISITS, atFirst);
    await until('it is told', () => toldDropped() || null);
    await popupShows();
    await drain();
    const visits = await left();
    expectOldestGone(visits);
    const kept = (await Promise.all(VISITS.map(visitOf))).flat().map(({ origin: _, ...sample }) => sample);
    const bytes = sum(kept.map((sample) => JSON.stringify(sample).length));
    expect(bytes / MAX_BYTES).toBeLessThan(1.1); // stored samples may be written a little differently
    expect(bytes / MAX_BYTES).toBeGreaterThan(0.4); // a visit of 31 is a group that goes as a whole
    expect(kept.length).toBeLessThan(VISITS.length * VISIT);
  });

  test('age: what has waited for more than 7 days goes and is counted, and what is younger stays', async () => {
    await start((dir) => injectFaults(dir, WEEK_MS + 1));
    const { atFirst } = await trouble();
    await visit(VISITS.slice(0, 2), atFirst);
    expect(toldDropped()).toBe(0);
    const met = collector.bodies.length;
    const fault: Fault = 'clock-right';
    collector.door({ batches: { ...UNAVAILABLE, headers: { ...UNAVAILABLE.headers, 'x-fault': fault } } });
    await until('the clock is right', () => collector.bodies.length > met + 1);
    collector.door({ batches: UNAVAILABLE });
    const dropped = await until('what was old went', () => toldDropped() || null);
    expect(dropped).toBeGreaterThanOrEqual(2 * VISIT);
    await popupShows();
    await visit(VISITS.slice(2), atFirst + 2 * VISIT);
    await drain();
    const [one, two, ...younger] = await left();
    expect([one, two]).toEqual([0, 0]);
    expect(3 * VISIT - sum(younger), String(younger)).toBeLessThanOrEqual(unfinished());
    expect(toldDropped()).toBe(dropped);
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

/** `constant` as it stands in the built background. */
function lowerLimit(constant: string, limit: number): (extensionDir: string) => Promise<void> {
  return async (extensionDir) => {
    const file = join(extensionDir, 'background.js');
    const script = await readFile(file, 'utf8');
    expect(script.split(constant)).toHaveLength(2);
    await writeFile(file, script.replace(constant, `=${limit}`));
  };
}
