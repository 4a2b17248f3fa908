import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { findBrowser } from '../../collector/lab/browser/find-browser.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Bench } from './bench-result.ts';
import { firstVisit, timeClick, timeKey, timeNavigation } from './dashboard-page.ts';
import { END_MS, fillStore } from './fill-store.ts';
import { FIRST_MS } from './generate-samples.ts';
import { serveFolder } from './serve-folder.ts';

const SAMPLES = 10_000_000;
const ROUNDS = 5;
const DAY_MS = 24 * 3_600_000;
const RANGE = `from=${new Date(FIRST_MS).toISOString()}&to=${new Date(END_MS).toISOString()}`;
/** The generator's busiest host: almost a quarter of all samples. */
const HOST = 'app-0.example.com';
/** Nothing of it is ever too old: the generator's month may be long ago. */
const KEPT_DAYS = 36_500;

const OVERVIEW_SHOWN = '[data-panel="Overview"][data-state="ready"] .overview .row';
/** What would save users most time, or else that nothing stands out and what they wait for longest. */
const FINDINGS_SHOWN =
  '[data-panel="What to improve first"][data-state="ready"] .findings, [data-panel="What to improve first"][data-state="ready"] .hero svg';
/** The filter that was chosen is listed. */
const FILTERED = `body:has(.chips) ${OVERVIEW_SHOWN}`;
/** Forty hosts by eight types. */
const OVERVIEW_DRAWN = '[data-panel="Overview"][data-state="ready"] [data-drawn="320"]';
const HOST_SHOWN = '[data-panel="Host"][data-state="ready"] .hero svg';
/** The timeline of a part of the range: links lead back to the whole one. */
const ZOOMED =
  'body:has(.tab[href*="back="]) [data-panel="Timeline"][data-state="ready"] .picture svg && not [data-panel="Timeline"][aria-busy="true"]';
const ALL_FILLED = `${HOST_SHOWN} && not [aria-busy="true"], .change-loading`;

interface Figures {
  /**
   * From the navigation to the table of apps, ms; medians of the rounds, as all of these but the first visit's. Scripts are
   * in the browser's cache by then and the server is warm; no answer is kept.
   */
  readonly overviewMs: number;
  /** To the findings above it, which have no aim of their own. */
  readonly findingsMs: number;
  /** From the navigation with every app open to the last of its hosts and types, drawn while the page is idle. */
  readonly overviewRowsMs: number;
  /** From the choice of a type to the table of that type. */
  readonly filterMs: number;
  /** From the navigation to a host's finding and its picture. */
  readonly hostMs: number;
  /** To its last panel, those that read samples among them. */
  readonly hostFullMs: number;
  /** From the end of a selection in a host's timeline to the timeline of that part, drawn. */
  readonly zoomMs: number;
  /** The same as `overviewMs` right after the server's start, with an empty cache, signing in by a link; no aim of its own. */
  readonly firstVisitMs: number;
  /** Scripts of a first visit, bytes gzipped. */
  readonly jsGzipBytes: number;
}

/** What an admin waits for with ten million samples, in real Chromium, from the built server. */
export const dashboardBench: Bench = {
  name: 'dashboard',
  async run(progress) {
    const kept = process.env.LASTBYTE_BENCH_STORE;
    const folder = kept ?? (await mkdtemp(join(tmpdir(), 'lastbyte-bench-')));
    try {
      const token = await prepare(folder, progress);
      const server = await serveFolder(folder);
      try {
        const figures = await measure(server.url, token, progress);
        return { figures, misses: missesOf(figures) };
      } finally {
        await server.stop();
      }
    } finally {
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Fills the folder unless it is full already, and returns a new admin token. */
async function prepare(folder: string, progress: (line: string) => void): Promise<string> {
  const store = await openStore({ folder, as: 'command', clock: () => END_MS + DAY_MS });
  try {
    if ((await store.settings.read()) === null) {
      await fillStore(store, SAMPLES, progress);
      const retention = { sampleDays: KEPT_DAYS, hourDays: KEPT_DAYS, dayDays: KEPT_DAYS, monthDays: null };
      await store.settings.write({ version: 1, targets: [], retention }, null, END_MS);
    }
    const { stored, token } = makeToken('admin', 'bench', Date.now());
    await store.tokens.create(stored);
    return token;
  } finally {
    await store.close();
  }
}

async function measure(url: string, token: string, progress: (line: string) => void): Promise<Figures> {
  const found = findBrowser('chromium');
  if (!found.ok) throw new Error(`${found.message} ${found.hint}`);
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const overview = `${url}/?${RANGE}`;
    const everyRow = `${url}/?open=all&${RANGE}`;
    const host = `${url}/?page=${HOST}&${RANGE}`;
    const first = await firstVisit(context, `${overview}#token=${token}`, OVERVIEW_SHOWN);
    progress(`first visit: ${JSON.stringify(first)}`);
    const rounds: Record<Exclude<keyof Figures, keyof typeof first>, number[]> = {
      overviewMs: [],
      findingsMs: [],
      overviewRowsMs: [],
      filterMs: [],
      hostMs: [],
      hostFullMs: [],
      zoomMs: [],
    };
    // The first round warms the server up and is not counted.
    for (let round = 0; round <= ROUNDS; round++) {
      const times = {
        overviewMs: await timeNavigation(context, overview, OVERVIEW_SHOWN),
        findingsMs: await timeNavigation(context, overview, FINDINGS_SHOWN),
        overviewRowsMs: await timeNavigation(context, everyRow, OVERVIEW_DRAWN),
        filterMs: await timeFilter(context, overview, round),
        hostMs: await timeNavigation(context, host, HOST_SHOWN),
        hostFullMs: await timeNavigation(context, host, ALL_FILLED),
        zoomMs: await timeZoom(context, host, round),
      };
      progress(`round ${round} of ${ROUNDS}: ${JSON.stringify(times)}`);
      if (round === 0) continue;
      for (const [name, time] of Object.entries(times)) rounds[name as keyof typeof rounds].push(time);
    }
    const { overviewMs, findingsMs, overviewRowsMs, filterMs, hostMs, hostFullMs, zoomMs } = rounds;
    return {
      overviewMs: median(overviewMs),
      findingsMs: median(findingsMs),
      overviewRowsMs: median(overviewRowsMs),
      filterMs: median(filterMs),
      hostMs: median(hostMs),
      hostFullMs: median(hostFullMs),
      zoomMs: median(zoomMs),
      ...first,
    };
  } finally {
    await browser.close();
  }
}

/** Another type each round, so that no answer is there already. */
async function timeFilter(context: BrowserContext, overview: string, round: number): Promise<number> {
  const page = await context.newPage();
  try {
    await page.goto(overview);
    await page.locator(OVERVIEW_SHOWN).first().waitFor();
    await page.locator('[data-add-filter]').click();
    await page.locator('[data-filter="type"]').click();
    const choice = `.choices .choice:nth-of-type(${round + 1}) input`;
    await page.locator(choice).waitFor();
    return await timeClick(page, choice, FILTERED);
  } finally {
    await page.close();
  }
}

/** Another part of the range each round, so that no answer is there already. */
async function timeZoom(context: BrowserContext, host: string, round: number): Promise<number> {
  const page = await context.newPage();
  try {
    await page.goto(host);
    const marks = page.locator('[data-panel="Timeline"] .marks');
    await marks.waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await marks.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 4 + round; step++) await page.keyboard.press('Shift+ArrowRight');
    return await timeKey(page, '[data-panel="Timeline"] .marks', 'Enter', ZOOMED);
  } finally {
    await page.close();
  }
}

function missesOf({ overviewMs, filterMs, hostMs, hostFullMs, zoomMs, jsGzipBytes }: Figures): string[] {
  const misses: string[] = [];
  if (overviewMs > 1000) misses.push(`the overview after ${overviewMs} ms, not 1000`);
  if (filterMs > 300) misses.push(`a filter after ${filterMs} ms, not 300`);
  if (hostMs > 1500) misses.push(`a host after ${hostMs} ms, not 1500`);
  if (hostFullMs > 6000) misses.push(`all of a host after ${hostFullMs} ms, not 6000`);
  if (zoomMs > 300) misses.push(`a zoom after ${zoomMs} ms, not 300`);
  if (jsGzipBytes > 160 * 1024) misses.push(`${jsGzipBytes} bytes of script, not ${160 * 1024}`);
  return misses;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
