import type { BrowserTab } from '../browser/browser-session.ts';
import { untilAborted } from './until-aborted.ts';

/** The same tab, but whatever it is doing throws Aborted at once when the signal aborts. */
export function stoppableTab(tab: BrowserTab, stopped: AbortSignal): BrowserTab {
  return {
    goto: (url) => untilAborted(tab.goto(url), stopped),
    evaluate: (expression) => untilAborted(tab.evaluate(expression), stopped),
    click: (selector) => untilAborted(tab.click(selector), stopped),
    screenshot: (path) => untilAborted(tab.screenshot(path), stopped),
    close: () => tab.close(),
  };
}
