import type { Page } from 'playwright-core';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { type DrivenChromium, startDrivenChromium } from '../browser/fixture/driven-chromium.ts';
import type { PackagedExtension } from '../browser/fixture/packaged-extension.ts';
import type { TestApp } from '../browser/fixture/test-app.ts';
import type { TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { contentScriptTime, type ScriptTime, TRACE_CATEGORIES } from './content-script-trace.ts';
import { APP_HOST, APP_TARGETS } from './page-of-resources.ts';

const WARM_UPS = 3;
const TRACED = 15;

export interface ScriptCost {
  /** Main-thread time of the content script on a page of 500 resources, by the processor's clock; median of the loads. */
  readonly scriptMs: number;
  /** The longest of all loads. */
  readonly longestTaskMs: number;
}

export interface ScriptCostParts {
  readonly app: TestApp;
  readonly collector: TestCollector;
  readonly extension: PackagedExtension;
  readonly progress: (line: string) => void;
}

/** What the browser's own trace says of the content script. */
export async function scriptCost({ app, collector, extension, progress }: ScriptCostParts): Promise<ScriptCost> {
  // As often as in life: sent every minute, not each second as tests like it.
  const settings = { version: 1, revision: 1, targets: APP_TARGETS, delivery: { intervalSeconds: 60 } };
  collector.door({ settings: { status: 200, body: JSON.stringify(settings) } });
  const address = `http://${APP_HOST}:${app.port}`;
  const browser = await startDrivenChromium(extension.dir);
  try {
    const page = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the content script is registered', () => isRegistered(browser));
    for (let round = 0; round < WARM_UPS; round++) {
      await page.goto(`${address}/ready`, { waitUntil: 'load' });
      await page.goto(`${address}/resources`, { waitUntil: 'load' });
    }
    const traced = await traceLoads(browser, page, address);
    progress(`the content script, load by load: ${traced.map(inWords).join('; ')}`);
    return {
      scriptMs: rounded(medianOf(traced.map(({ total }) => total))),
      longestTaskMs: rounded(Math.max(...traced.map(({ longest }) => longest))),
    };
  } finally {
    await browser.close();
  }
}

async function isRegistered({ context }: DrivenChromium): Promise<boolean> {
  const [worker] = context.serviceWorkers();
  return worker
    ? worker.evaluate('chrome.scripting.getRegisteredContentScripts().then((scripts) => scripts.length > 0)')
    : false;
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
