import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { startFreshChromium, type UndrivenChromium } from '../browser/fixture/undriven-chromium.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.worker.test/*'] }];
const BY_COMMAND = 18;
/** By the browser itself, after half a minute without events. */
const BY_IDLING = 2;
/** No alarm comes earlier than half a minute, so what happens within this was not its doing. */
const BEFORE_ANY_ALARM_MS = 25_000;
/**
 * A worker that is stopped after it stored a group and before it sent it leaves that to the alarm, whose first one comes at
 * a random moment of the second minute.
 */
const BY_ALARM_MS = 150_000;

/** Its last request ends when the test wants it to, and the title tells that the page knows. */
const PAGE = `<!doctype html><title>open</title><script>
fetch('/hold/' + location.search.slice(1)).then((answer) => answer.text()).then(() => { document.title = 'released'; });
</script>`;

let app: TestApp;
let collector: TestCollector;
let extension: PackagedExtension;
let browsers: UndrivenChromium[];

beforeEach(async () => {
  browsers = [];
  app = await startTestApp({
    tls: null,
    roundTripMs: 0,
    pages: { '/': '<title>ready</title>', '/a': '<title>a</title>', '/b': '<title>b</title>', '/last': PAGE },
  });
  collector = await startTestCollector(TARGETS);
  extension = await packageForTest('chromium', collector, TARGETS);
});

afterEach(async () => {
  await Promise.all(browsers.map((browser) => browser.kill()));
  await Promise.all([app.close(), collector.close(), extension.remove()]);
});

async function start(): Promise<UndrivenChromium> {
  const browser = await startFreshChromium(extension.dir);
  browsers.push(browser);
  return browser;
}

function url(path: string): string {
  return `http://app.worker.test:${app.port}${path}`;
}

async function counted(template: (text: string) => boolean): Promise<number> {
  return (await collector.samples()).filter((sample) => template(sample.template)).length;
}

/** Settings are in force, and the content script is registered. */
async function startCapturing(place: string): Promise<UndrivenChromium> {
  const browser = await start();
  await browser.open(url(place));
  await until('the first sample arrived', async () => (await counted((template) => template === place)) > 0);
  return browser;
}

/** A tab whose last request is under way. */
async function openLast(browser: UndrivenChromium, name: string): Promise<string> {
  const tab = await browser.open(url(`/last?${name}`));
  await until('the last request is under way', () => app.asked.includes(`/hold/${name}`));
  return tab;
}

/** Ends the tab's last request and closes it before the page has told anybody, while no worker is there to listen. */
async function closeAfterLast(browser: UndrivenChromium, name: string, tab: string): Promise<void> {
  app.release(name);
  await until('the page has the answer', async () =>
    (await browser.targets()).some(({ id, title }) => id === tab && title === 'released'),
  );
  await browser.stopWorker(); // where the browser was so slow that the page has spoken: whatever it said may be lost
  await browser.closeTab(tab);
}

test.runIf(ENGINES.includes('chromium'))(
  `the last batch of a closed tab arrives without a worker: ${BY_COMMAND} of ${BY_COMMAND} stopped by command, ${BY_IDLING} of ${BY_IDLING} by idling`,
  async () => {
    // A browser each: closing the first tab would wake the worker that the second is to do without.
    const [commanded, ...idle] = await Promise.all([startCapturing('/'), startCapturing('/a'), startCapturing('/b')]);
    expect(idle).toHaveLength(BY_IDLING);
    const idling = Promise.all(
      idle.map(async (browser, index) => {
        const name = `idle${index}`;
        const tab = await openLast(browser, name);
        await until('the browser stopped the idle worker', async () => (await browser.worker()) === null);
        await closeAfterLast(browser, name, tab);
      }),
    );
    for (let round = 0; round < BY_COMMAND; round++) {
      const name = `command${round}`;
      const tab = await openLast(commanded, name);
      await commanded.stopWorker();
      await closeAfterLast(commanded, name, tab);
    }
    await idling;
    const all = BY_COMMAND + BY_IDLING;
    const isLast = (template: string) => template.startsWith('/hold/');
    await until('all last requests arrived', async () => (await counted(isLast)) >= all, BY_ALARM_MS);
    const documents = () => counted((template) => template === '/last');
    await until('all documents arrived', async () => (await documents()) >= all, BY_ALARM_MS);
    expect(await counted(isLast)).toBe(all);
    expect(await documents()).toBe(all);
  },
  3 * BY_ALARM_MS,
);

test.runIf(ENGINES.includes('chromium'))(
  'a worker stopped before it has its settings asks again at the next page',
  async () => {
    collector.door({ settings: 'silent' });
    const browser = await start();
    await until('the settings were asked for', () => collector.settingsAsked() > 0);
    await browser.stopWorker();
    const asked = collector.settingsAsked();
    collector.door({ settings: 'open' });
    await browser.open('about:blank');
    await until('they were asked for again', () => collector.settingsAsked() > asked, BEFORE_ANY_ALARM_MS);
    await browser.open(url('/'));
    await until('a sample arrived', async () => (await counted((template) => template === '/')) > 0);
  },
);
