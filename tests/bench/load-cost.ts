import type { Page } from 'playwright-core';
import { medianIntervalRanks } from '../../shared/statistics/median-interval.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { type DrivenChromium, startDrivenChromium } from '../browser/fixture/driven-chromium.ts';
import type { PackagedExtension } from '../browser/fixture/packaged-extension.ts';
import type { TestApp } from '../browser/fixture/test-app.ts';
import type { TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { contentScriptTime, type ScriptTime, TRACE_CATEGORIES } from './content-script-trace.ts';
import { APP_HOST, APP_TARGETS } from './page-of-resources.ts';

const WARM_UPS = 3;
const TRACED = 5;
const REPORTED_EVERY = 10;

export interface LoadCost {
  /** Main-thread time of the content script on a page of 500 resources, by the processor's clock; median of the loads. */
  readonly scriptMs: number;
  /** The longest of all loads. */
  readonly longestTaskMs: number;
  readonly pairs: number;
  /** loadEventEnd with the extension ÷ without, median of the pairs, and its 95 % interval. */
  readonly loadRatio: number;
  readonly loadRatioInterval: readonly [number, number];
}

export interface LoadCostParts {
  readonly app: TestApp;
  readonly collector: TestCollector;
  readonly extension: PackagedExtension;
  /** At least 6: fewer have no interval. */
  readonly pairs: number;
  readonly progress: (line: string) => void;
}

/** Two Chromiums that differ in nothing but the extension, loading in turns. */
export async function loadCost({ app, collector, extension, pairs, progress }: LoadCostParts): Promise<LoadCost> {
  // As often as in life: sent every minute, not each second as tests like it.
  const settings = { version: 1, revision: 1, targets: APP_TARGETS, delivery: { intervalSeconds: 60 } };
  collector.door({ settings: { status: 200, body: JSON.stringify(settings) } });
  const address = `http://${APP_HOST}:${app.port}`;
  const browsers: DrivenChromium[] = [];
  try {
    const measured = await startDrivenChromium(extension.dir);
    browsers.push(measured);
    const plain = await startDrivenChromium(null);
    browsers.push(plain);
    const withIt = await measured.open('about:blank');
    const without = await plain.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the content script is registered', () => isRegistered(measured));
    for (let round = 0; round < WARM_UPS; round++) {
      for (const page of [withIt, without]) await timeToLoad(page, address);
    }
    const traced = await traceLoads(measured, withIt, address);
    progress(`the content script, load by load: ${traced.map(inWords).join('; ')}`);
    const ratios: number[] = [];
    for (let pair = 1; pair <= pairs; pair++) {
      const times = new Map<Page, number>();
      // Each is first as often as the other: what one leaves behind must not fall on the other alone.
      for (const page of pair % 2 === 0 ? [withIt, without] : [without, withIt]) {
        times.set(page, await timeToLoad(page, address));
      }
      const [slow = Number.NaN, base = Number.NaN] = [times.get(withIt), times.get(without)];
      ratios.push(slow / base);
      if (pair % REPORTED_EVERY === 0 || pair === pairs) {
        progress(`${pair} of ${pairs} pairs; the last took ${slow.toFixed(0)} ms with it, ${base.toFixed(0)} without`);
      }
    }
    ratios.sort((a, b) => a - b);
    const at = (rank: number) => rounded(ratios[rank] ?? Number.NaN);
    const [low = Number.NaN, high = Number.NaN] = medianIntervalRanks(ratios.length) ?? [];
    return {
      scriptMs: rounded(medianOf(traced.map(({ total }) => total))),
      longestTaskMs: rounded(Math.max(...traced.map(({ longest }) => longest))),
      pairs,
      loadRatio: at(quantileRank(0.5, ratios.length)),
      loadRatioInterval: [at(low), at(high)],
    };
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}

async function isRegistered({ context }: DrivenChromium): Promise<boolean> {
  const [worker] = context.serviceWorkers();
  return worker
    ? worker.evaluate('chrome.scripting.getRegisteredContentScripts().then((scripts) => scripts.length > 0)')
    : false;
}

/** loadEventEnd of the page of 500 resources, ms; the page before it is gone by then, and so is what it left to do. */
async function timeToLoad(page: Page, address: string): Promise<number> {
  await page.goto(`${address}/ready`, { waitUntil: 'load' });
  await page.goto(`${address}/resources`, { waitUntil: 'load' });
  return until('the load event has ended', async () => {
    const ended = Number(await page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd'));
    return ended > 0 ? ended : null;
  });
}

async function traceLoads({ context, origin }: DrivenChromium, page: Page, address: string): Promise<ScriptTime[]> {
  const browser = context.browser();
  if (!browser) throw new Error('The browser gave no debugging connection.');
  const found: ScriptTime[] = [];
  for (let load = 0; load < TRACED; load++) {
    await page.goto(`${address}/ready`, { waitUntil: 'load' });
    await browser.startTracing(page, { categories: TRACE_CATEGORIES });
    await page.goto(`${address}/resources`, { waitUntil: 'load' });
    // At once: what is left to tell is told when the page goes, and belongs to the price.
    await page.goto('about:blank');
    found.push(contentScriptTime((await browser.stopTracing()).toString(), `${origin}/content.js`));
  }
  // A name that changed in the browser's trace must not read as a script that costs nothing.
  if (found.some(({ runs }) => runs === 0)) throw new Error('The trace shows no run of the content script.');
  return found;
}

function inWords({ total, longest, runs }: ScriptTime): string {
  return `${total.toFixed(1)} ms in ${runs} runs, the longest ${longest.toFixed(1)}`;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[quantileRank(0.5, sorted.length)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
