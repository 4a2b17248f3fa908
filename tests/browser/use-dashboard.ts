import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { findBrowser } from '../../collector/lab/browser/find-browser.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { type DashboardCollector, type DashboardData, startDashboardCollector } from './dashboard-collector.ts';
import { openWatched, type WatchedPage } from './watched-page.ts';

/** One dashboard in Chromium for all tests of a file, and a new watched page for each test. */
export interface DashboardInUse {
  readonly collector: DashboardCollector;
  readonly page: Page;
  readonly context: BrowserContext;
}

/** Registers the hooks, which call `data`. The properties are available once a test starts. */
export function useDashboard(
  data: () => DashboardData & { readonly samples: readonly StoredSample[] },
): DashboardInUse {
  let collector: DashboardCollector | null = null;
  let browser: Browser | null = null;
  let watched: WatchedPage | null = null;

  beforeAll(async () => {
    const { samples, ...rest } = data();
    collector = await startDashboardCollector(samples, rest);
    const found = findBrowser('chromium');
    if (!found.ok) throw new Error(`${found.message} ${found.hint}`);
    browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser?.close();
    await collector?.close();
  });
  beforeEach(async () => {
    watched = await openWatched(there(browser), there(collector).url);
  });
  afterEach(() => watched?.close());

  return {
    get collector() {
      return there(collector);
    },
    get page() {
      return there(watched).page;
    },
    get context() {
      return there(watched).context;
    },
  };
}

function there<Value>(value: Value | null): Value {
  if (value === null) throw new Error('Available only within a test.');
  return value;
}
