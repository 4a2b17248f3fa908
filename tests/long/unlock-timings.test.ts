import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserSession, BrowserTab } from '../../collector/lab/browser/browser-session.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { targetPermissions } from '../../shared/settings/target-permissions.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

/** What a page's own script can read of a request to another host: 0 where it is not told. */
const OWN_SCRIPT = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('third')).map(({ requestStart }) => requestStart)[0]`;

describe.each(ENGINES)('unlocked timings in %s', (engine) => {
  let app: TestApp;
  let third: TestApp;
  let collector: TestCollector;
  let browser: BrowserSession;
  let tab: BrowserTab;

  beforeAll(async () => {
    third = await startTestApp({ tls: null, roundTripMs: 0, pages: {} });
    const page = (name: string) =>
      `<title>${name}</title><img src="http://third.unlock.test:${third.port}/wait/30/${name}.svg">`;
    app = await startTestApp({
      tls: null,
      roundTripMs: 0,
      pages: { '/open': page('open'), '/locked': page('locked'), '/below': page('below') },
    });
    const targets: Target[] = [
      {
        id: 'open',
        name: 'Open',
        match: [`http://open.unlock.test:${app.port}/*`],
        unlockTimings: ['third.unlock.test'],
      },
      { id: 'locked', name: 'Locked', match: ['http://locked.unlock.test/*'] },
    ];
    collector = await startTestCollector(targets);
    const granted = targets.flatMap(targetPermissions);
    browser = await startMeasuredBrowser(engine, collector, [{ match: granted }], [], undefined, true);
    tab = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    await until('the first sample arrived', async () => {
      await tab.goto(`http://locked.unlock.test:${app.port}/ready`);
      return (await collector.samples()).length > 0;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), third?.close(), collector?.close()]);
  });

  test('tell a third party to the pages of the target that asked for it, and to nobody else', async () => {
    await tab.goto(`http://open.unlock.test:${app.port}/open`);
    expect(await tab.evaluate(OWN_SCRIPT)).toBeGreaterThan(0);
    await tab.goto(`http://locked.unlock.test:${app.port}/locked`);
    expect(await tab.evaluate(OWN_SCRIPT)).toBe(0);
    // A subdomain of the target's host, which browsers take for the same domain in a rule: the header does not name it.
    await tab.goto(`http://below.open.unlock.test:${app.port}/below`);
    expect(await tab.evaluate(OWN_SCRIPT)).toBe(0);
    await tab.goto(`http://locked.unlock.test:${app.port}/ready`);
    const [open, locked] = await until('both arrived', async () => {
      const samples = (await collector.samples()).filter(({ host }) => host === 'third.unlock.test');
      const found = ['open', 'locked'].map((name) => samples.find(({ target }) => target === name));
      return found.every((sample) => sample !== undefined) ? found : null;
    });
    expect(open, JSON.stringify(open)).toMatchObject({ protocol: 'http/1.1', excluded: null });
    expect(open?.times.wait).toBeGreaterThanOrEqual(29_000);
    // Firefox tells content scripts the times all the same, and the protocol only where it is allowed.
    if (engine === 'chromium') expect(locked).toMatchObject({ connection: 'opaque', times: { wait: null } });
    expect(locked).toMatchObject({ protocol: null });
  });
});
