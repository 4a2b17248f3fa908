import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { Status } from '../../extension/background/status.ts';
import type { PackedGroup } from '../../extension/packed-group.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { entryWith, packEntry } from '../unit/timing/entries.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.handed.test/*'] }];
/** An address where nothing listens. */
const EVIL = { collector: 'http://127.0.0.1:9', key: 'evil', site: 'evil' };

/** An extension's own page reaches what a content script does, and so what has taken over a page's process: storage.local. */
describe.each(ENGINES)('what a page’s process hands over, in %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let page: BrowserTab;

  beforeAll(async () => {
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': '<title>ready</title>' } });
    collector = await startTestCollector(TARGETS);
    browser = await startMeasuredBrowser(engine, collector, TARGETS, []);
    page = await browser.open(`${browser.extensionOrigin}/options.html`);
    await until('the extension has its settings', async () => (await status()).state === 'collecting');
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close()]);
  });

  const call = (expression: string) => page.evaluate(`(globalThis.browser ?? chrome).${expression}`);
  const status = async () => (await call(`runtime.sendMessage({ kind: 'status' })`)) as Status;
  const write = (items: object) => call(`storage.local.set(${JSON.stringify(items)})`);
  const left = async () => Object.keys((await call('storage.local.get(null)')) as object);

  test('the state of older versions is neither there nor read: it is removed, and the collector stays', async () => {
    expect(await left()).toEqual([]);
    const asked = collector.settingsAsked();
    await write({
      stateVersion: 3,
      enrolment: EVIL,
      policy: EVIL,
      client: { id: 'evil', month: '2026-01' },
      poll: null,
    });
    await until('it is removed', async () => (await left()).length === 0);
    await call(`runtime.sendMessage({ kind: 'refresh' })`);
    expect(await status()).toMatchObject({ state: 'collecting', collector: collector.origin, enrolledBy: 'package' });
    expect(collector.settingsAsked()).toBeGreaterThan(asked);
  });

  test('a group is taken for pages of a target, and what is none is removed and counted', async () => {
    await write({
      'pending/a-0': group('a-0', 'http://app.handed.test/', 'http://app.handed.test'),
      'pending/a-1': group('a-1', 'http://elsewhere.test/', 'http://elsewhere.test'),
      'pending/a-2': group('a-2', 'http://app.handed.test/', 'http://elsewhere.test'),
      'pending/a-3': { kind: 'entries' },
    });
    await until('all is gone', async () => (await left()).length === 0);
    await until('the one sample arrives', async () => (await collector.samples()).some(isHanded));
    expect((await collector.samples()).filter(isHanded)).toHaveLength(1);
    expect((await status()).lost).toEqual({ malformed: 2 + 5 });
  });

  test('a message belongs to the document that sent it, whatever page it names', async () => {
    const sent = (await collector.samples()).length;
    const claimed = { ...group('b-0', 'http://app.handed.test/', 'http://app.handed.test'), dropped: 7 };
    expect(await call(`runtime.sendMessage(${JSON.stringify(claimed)})`)).toBe(true);
    expect(await status()).toMatchObject({ waiting: 0, lost: { malformed: 2 + 5 } });
    expect((await status()).lost).not.toHaveProperty('flood');
    expect(await collector.samples()).toHaveLength(sent);
  });
});

/** A group with one entry, as a content script writes it. */
function group(id: string, page: string, origin: string): PackedGroup {
  const entries = JSON.stringify([packEntry(entryWith({ name: 'http://app.handed.test/handed' }))]);
  const document = { page, origin, timeOrigin: Date.now() - 10_000, activationStart: 0, top: true };
  return { kind: 'entries', id, ...document, entries, dropped: 0 };
}

const isHanded = ({ template }: { readonly template: string }) => template === '/handed';
