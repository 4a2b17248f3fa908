import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserEngine } from '../../../shared/vocabulary/vocabulary.ts';
import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { VERSION } from '../../lib/version.ts';
import { packageExtension } from '../../rollout/package/package-extension.ts';
import { chooseBrowser } from '../browser/find-browser.ts';
import { launchBrowser, loadDriver } from '../browser/launch-browser.ts';
import { DEMO_SETTINGS } from './demo-apps.ts';
import { type DemoCollector, startDemoCollector } from './demo-collector.ts';
import { startDemoSite } from './demo-site.ts';
import { type DemoRun, runDemo } from './run-demo.ts';

export interface DemoStart extends Pick<DemoRun, 'once' | 'stopped' | 'now' | 'say'> {
  /** null for the first one installed. */
  readonly engine: BrowserEngine | null;
  /** null for a new folder below ./data. */
  readonly data: string | null;
  readonly port: number;
  readonly headless: boolean;
  /** null continues until `stopped`. */
  readonly seconds: number | null;
  /** Folder of the built command, which holds `dashboard` and `extension`. */
  readonly built: string;
}

export interface DemoEnd {
  readonly data: string;
  readonly dashboard: string;
  /** null if it was stopped before the first round was complete. */
  readonly summary: SummaryDocument | null;
}

/** Starts everything, runs it, and leaves only the data behind. Throws a CommandFailure or StoreError. */
export async function startDemo(options: DemoStart): Promise<DemoEnd> {
  const { say, now, stopped } = options;
  const { engine, path } = chooseBrowser(options.engine);
  await loadDriver(engine); // if it is missing, fail before anything has started
  const stamp = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = resolve(options.data ?? join('data', `demo-${stamp}`));
  /** Ended in reverse order, whatever happens. */
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
  } finally {
    for (const end of running.reverse()) await end();
  }
}

/**
 * The unpacked extension, enrolled at the demo's collector and permitted to measure only the demo's targets. It holds
 * the ingest key, so it is removed afterwards. `source` is the folder of the built extensions.
 */
async function packageDemoExtension(
  source: string,
  engine: BrowserEngine,
  { origin, ingestKey }: Pick<DemoCollector, 'origin' | 'ingestKey'>,
): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'lastbyte-demo-extension-'));
  const remove = () => rm(dir, { recursive: true, force: true });
  try {
    const enrolment = { collector: origin, key: ingestKey, site: 'demo' };
    await packageExtension({ source, engine, targets: DEMO_SETTINGS.targets, enrolment, network: true, out: dir });
  } catch (error) {
    await remove();
    throw error;
  }
  return { dir, remove };
}
