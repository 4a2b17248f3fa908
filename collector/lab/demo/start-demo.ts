import { join, resolve } from 'node:path';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { VERSION } from '../../lib/version.ts';
import { BrowserError } from '../browser/browser-session.ts';
import { chooseBrowser } from '../browser/choose-browser.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { startDemoCollector } from './demo-collector.ts';
import { packageDemoExtension } from './demo-extension.ts';
import { startDemoSite } from './demo-site.ts';
import { runDemo } from './run-demo.ts';

export interface DemoStart {
  /** null takes the first one installed. */
  readonly engine: BrowserEngine | null;
  /** null makes a new folder below ./data. */
  readonly data: string | null;
  readonly port: number;
  readonly headless: boolean;
  readonly once: boolean;
  /** null goes on until `stopped`. */
  readonly seconds: number | null;
  /** Folder of the built command, with `dashboard` and `extension` beside it. */
  readonly built: string;
  readonly stopped: AbortSignal;
  readonly now: () => number;
  readonly say: (...lines: readonly string[]) => void;
}

export interface DemoEnd {
  readonly data: string;
  readonly dashboard: string;
  /** null where it was stopped before the first round was complete. */
  readonly summary: SummaryDocument | null;
}

/** Starts everything, runs it, and leaves nothing behind but the data. Throws a CommandFailure or StoreError. */
export async function startDemo(options: DemoStart): Promise<DemoEnd> {
  const { say, now, stopped } = options;
  const { engine, path } = chooseBrowser(options.engine);
  const stamp = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = resolve(options.data ?? join('data', `demo-${stamp}`));
  /** Ended in reverse order, whatever happened. */
  const running: (() => Promise<void>)[] = [];
  try {
    const dashboardFolder = join(options.built, 'dashboard');
    const collector = await startDemoCollector({
      folder,
      port: options.port,
      clock: now,
      version: VERSION,
      dashboardFolder,
    });
    running.push(collector.close);
    say(`The collector writes to ${folder}.`, `Dashboard: ${collector.dashboardUrl}`);
    const site = await startDemoSite(now());
    running.push(site.close);
    const extension = await packageDemoExtension(join(options.built, 'extension'), engine, collector);
    running.push(extension.remove);
    const browser = await launchBrowser({
      engine,
      executable: path,
      extensionDir: extension.dir,
      resolveHosts: null,
      proxy: site.proxy,
      trust: [site.authority],
      headless: options.headless,
    });
    running.push(browser.close);
    say(`Browsing the target apps with ${engine} ${browser.version}.`);
    const tab = await browser.open('about:blank');
    const { once, seconds } = options;
    const until = seconds === null ? null : now() + seconds * 1000;
    const summary = await runDemo({ tab, collector, origins: site.origins, once, until, stopped, now, say });
    return { data: folder, dashboard: collector.dashboardUrl, summary };
  } catch (error) {
    throw error instanceof BrowserError ? new CommandFailure(error.message.replace(/\.$/, ''), error.hint) : error;
  } finally {
    for (const end of running.reverse()) await end();
  }
}
