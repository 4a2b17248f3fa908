import type { BrowserTab } from '../browser/browser-session.ts';
import { DEMO_APPS } from './demo-apps.ts';

/** So that a median stands on 15 usable documents at least: the first one or two of a connection may not be usable. */
const VIEWS_PER_ROUND = 16;
/** Every so many views the user presses a button of the page instead of leaving it at once. */
const VIEWS_PER_CLICK = 4;

/** The first order's number; ids in paths show how templates fold them. */
const FIRST_ORDER = 4711;

/**
 * One round over all target apps the way a user would go: page after page in one tab, now and then a button. Waits for
 * each page's own word that it is done. Resolves with the number of entries that the browser holds for these pages:
 * so many samples have to arrive.
 */
export async function browseApps(tab: BrowserTab, origins: Readonly<Record<string, string>>): Promise<number> {
  let entries = 0;
  for (const app of DEMO_APPS) {
    if (app.target === null) continue;
    for (let view = 0; view < VIEWS_PER_ROUND; view++) {
      await tab.goto(`${origins[app.host]}/orders/${FIRST_ORDER + view}`);
      await tab.evaluate('window.demo');
      if (view % VIEWS_PER_CLICK === VIEWS_PER_CLICK - 1) {
        await tab.click('#refresh');
        await tab.evaluate('window.demo');
      }
      entries += Number(await tab.evaluate(COUNT_ENTRIES));
    }
  }
  return entries;
}

/** The document itself, and its resources. */
const COUNT_ENTRIES = "1 + performance.getEntriesByType('resource').length";
