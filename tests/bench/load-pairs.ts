import { medianIntervalRanks } from '../../shared/statistics/median-interval.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import type { PackagedExtension } from '../browser/fixture/packaged-extension.ts';
import type { TestApp } from '../browser/fixture/test-app.ts';
import type { TestCollector } from '../browser/fixture/test-collector.ts';
import { startFreshChromium, type UndrivenChromium } from '../browser/fixture/undriven-chromium.ts';
import { until } from '../browser/fixture/until.ts';
import { untilIdle } from './idle-processes.ts';
import { APP_HOST, APP_TARGETS, RESOURCES } from './page-of-resources.ts';

const WARM_UPS = 3;
const REPORTED_EVERY = 20;
/**
 * Each answer would be written to the disk and taken away again, by a second thread of the network's process: half of its time, and
 * now half, now twice as much of it in the same browser from one load to the next (measured without any extension).
 */
const NO_DISK_CACHE = ['--disk-cache-dir=/dev/null'];
/** A busy machine is slow, and then the pairs say little; but it comes to an end. */
const PATIENCE_MS = 150_000;

export interface LoadRatio {
  readonly pairs: number;
  /** loadEventEnd with the extension ÷ without, median of the pairs, and its 95 % interval. */
  readonly loadRatio: number;
  readonly loadRatioInterval: readonly [number, number];
}

export interface LoadPairsParts {
  readonly app: TestApp;
  readonly collector: TestCollector;
  readonly extension: PackagedExtension;
  /** At least 6: fewer have no interval. */
  readonly pairs: number;
  readonly progress: (line: string) => void;
}

/**
 * Two Chromiums that differ in nothing but the extension, loading in turns. No debugger is attached to either: it takes part in
 * each request, and what it costs would hide what the extension does. A turn begins when the collector has all of the one
 * before and neither browser is at work any more, as a person goes on who has read the page: what one leaves behind must not
 * fall on the other.
 */
export async function loadPairs({ app, collector, extension, pairs, progress }: LoadPairsParts): Promise<LoadRatio> {
  const settings = { version: 1, revision: 1, targets: APP_TARGETS, delivery: { intervalSeconds: 1 } };
  collector.door({ settings: { status: 200, body: JSON.stringify(settings) } });
  const address = `http://${APP_HOST}:${app.port}`;
  const browsers: UndrivenChromium[] = [];
  const start = async (dir: string | null) => {
    const browser = await startFreshChromium(dir, NO_DISK_CACHE);
    browsers.push(browser);
    return browser;
  };
  const asked = (path: string) => until(`${path} was asked for`, () => newest(app, path), PATIENCE_MS);
  const turn = async (name: string, number: number) => {
    await asked(`/hold/${name}-${number}`);
    await untilIdle(
      browsers.map(({ pid }) => pid),
      PATIENCE_MS,
    );
    // Or this process, which serves the pages, would do it amid one load and not the other.
    globalThis.gc?.();
    app.release(`${name}-${number}`);
    const path = await asked(`/wait/0/loaded/${name}-${number}`);
    await asked(`/hold/${name}-${number + 1}`);
    return Number(path.split('/').at(-1));
  };
  try {
    const askedBefore = collector.settingsAsked();
    const measured = await start(extension.dir);
    const plain = await start(null);
    // Reading storage.managed for the first time waits in Chromium until nothing else is to be done: pages one after the other
    // hold it up for as long as they come.
    await until('the extension asks for its settings', () => collector.settingsAsked() > askedBefore, PATIENCE_MS);
    const fresh = rowsIn(collector);
    await until(
      'the extension measures',
      () => visited(measured, `${address}/first`, app, () => rowsIn(collector) > fresh),
      PATIENCE_MS,
    );
    await measured.open(`${address}/turn?with-0`);
    await plain.open(`${address}/turn?without-0`);
    const ratios: number[] = [];
    for (let number = 0; number < WARM_UPS + pairs; number++) {
      const times = new Map<string, number>();
      // Each is first as often as the other.
      for (const name of number % 2 === 0 ? ['with', 'without'] : ['without', 'with']) {
        const all = rowsIn(collector) + RESOURCES;
        times.set(name, await turn(name, number));
        if (name === 'with') await until('all of it was sent', () => rowsIn(collector) >= all, PATIENCE_MS);
      }
      if (number < WARM_UPS) continue;
      const [slow = Number.NaN, base = Number.NaN] = [times.get('with'), times.get('without')];
      ratios.push(slow / base);
      const pair = ratios.length;
      if (pair % REPORTED_EVERY === 0 || pair === pairs) {
        progress(`${pair} of ${pairs} pairs; the last took ${slow.toFixed(0)} ms with it, ${base.toFixed(0)} without`);
      }
    }
    return medianRatio(ratios);
  } finally {
    await Promise.all(browsers.map((browser) => browser.kill()));
  }
}

/** A page that is closed tells what it has seen, if it is watched. */
async function visited(browser: UndrivenChromium, url: string, app: TestApp, told: () => boolean): Promise<boolean> {
  const before = app.asked.length;
  const tab = await browser.open(url);
  await until('the page is there', () => app.asked.includes('/wait/0/there', before), PATIENCE_MS);
  await browser.closeTab(tab);
  return told();
}

function medianRatio(ratios: readonly number[]): LoadRatio {
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (rank: number) => Number((sorted[rank] ?? Number.NaN).toFixed(4));
  const [low = Number.NaN, high = Number.NaN] = medianIntervalRanks(sorted.length) ?? [];
  return {
    pairs: sorted.length,
    loadRatio: at(quantileRank(0.5, sorted.length)),
    loadRatioInterval: [at(low), at(high)],
  };
}

/** The request for that path, or for one below it; null where it has not come yet. */
function newest({ asked }: TestApp, path: string): string | null {
  // The other browser may have had two turns since; further back nothing is looked for, since this takes time too.
  return asked.slice(-3 * RESOURCES).find((each) => each === path || each.startsWith(`${path}/`)) ?? null;
}

/** `n` stands before the columns. */
function rowsIn({ bodies }: TestCollector): number {
  return bodies.reduce((sum, body) => sum + Number(/"n":(\d+)/.exec(body)?.[1] ?? 0), 0);
}
