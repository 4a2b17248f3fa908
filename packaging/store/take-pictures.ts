/**
 * `node collector/setup/bootstrap.mjs run packaging/store/take-pictures.ts`: the stores' pictures, 1280×800 in English and German, in
 * packaging/store/pictures: Chromium with the packaged extension, and what one round of the demo measured. Needs `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DEMO_SETTINGS } from '../../collector/lab/demo/demo-apps.ts';
import { type DemoCollector, startDemoCollector } from '../../collector/lab/demo/demo-collector.ts';
import { startDemoSite } from '../../collector/lab/demo/demo-site.ts';
import { runDemo } from '../../collector/lab/demo/run-demo.ts';
import { packageExtension } from '../../collector/rollout/package/package-extension.ts';
import { startDrivenChromium } from '../../tests/browser/fixture/driven-chromium.ts';

const OUT = 'packaging/store/pictures';
const PICTURE = { width: 1280, height: 800 };
/** The largest that browsers show: pages.css, and Chromium's limit. */
const POPUP = { width: 420, height: 600 };

for (const language of ['en', 'de']) await takePictures(language);

async function takePictures(language: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-pictures-'));
  const [data, dir] = [join(folder, 'data'), join(folder, 'extension')];
  const collector = await startDemoCollector({
    folder: data,
    port: 0,
    clock: Date.now,
    version: '',
    dashboardFolder: 'dist/dashboard',
  });
  const site = await startDemoSite(Date.now());
  const enrolment = { collector: collector.origin, key: collector.ingestKey, site: 'demo' };
  const { targets } = DEMO_SETTINGS;
  await packageExtension({ source: 'dist/extension', engine: 'chromium', targets, enrolment, network: true, out: dir });
  const browser = await startDrivenChromium(dir, { language, through: site.proxy });
  try {
    const app = await browser.open('about:blank');
    await app.setViewportSize(PICTURE);
    // The policy is read late in a new profile, and not at all while the browser is busy.
    await shown(await browser.open(`${browser.origin}/options.html`));
    await browse(app, collector, site.origins);
    await app.goto(`${site.origins['keepalive.demo.test']}/orders/4711`, { waitUntil: 'networkidle' });
    await shootPopup(await browser.open(`${browser.origin}/popup.html`), app, `${OUT}/popup.${language}.png`);
    await shoot(await browser.open(`${browser.origin}/options.html`), `${OUT}/options.${language}.png`);
    const view = collector.dashboardUrl.replace('/#', `/?lang=${language}#`);
    await shoot(await browser.open(view), `${OUT}/dashboard.${language}.png`);
  } finally {
    await browser.close();
    await Promise.all([site.close(), collector.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function browse(page: Page, collector: DemoCollector, origins: Readonly<Record<string, string>>): Promise<void> {
  const tab = {
    goto: async (url: string) => void (await page.goto(url)),
    evaluate: (expression: string) => page.evaluate(expression),
    click: (selector: string) => page.click(selector),
    screenshot: async (path: string) => void (await page.screenshot({ path })),
    close: () => page.close(),
  };
  const stopped = new AbortController().signal;
  await runDemo({ tab, collector, origins, once: true, until: null, stopped, now: Date.now, say: console.log });
}

/** Once nothing is loading any more. */
async function shown(page: Page): Promise<Page> {
  await page.setViewportSize(PICTURE);
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForFunction(() => !document.getElementById('state')?.textContent?.endsWith('…'));
  return page;
}

async function shoot(page: Page, path: string): Promise<void> {
  await (await shown(page)).screenshot({ path, animations: 'disabled' });
  await page.close();
}

/** Where browsers show it, over the app that it tells of: headless, there is no toolbar to click. */
async function shootPopup(popup: Page, app: Page, path: string): Promise<void> {
  await popup.setViewportSize(POPUP);
  await popup.waitForSelector('#apps li');
  const small = (await popup.screenshot()).toString('base64');
  const large = (await app.screenshot()).toString('base64');
  await popup.close();
  await app.goto('about:blank');
  await app.setContent(`<body style="margin:0;background:url(data:image/png;base64,${large})">
    <img style="position:fixed;top:8px;right:24px;border-radius:8px;box-shadow:0 4px 24px #0006" src="data:image/png;base64,${small}">`);
  await app.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await app.screenshot({ path });
}
