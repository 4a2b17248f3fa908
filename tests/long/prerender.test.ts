import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { startFreshChromium, type UndrivenChromium } from '../browser/fixture/undriven-chromium.ts';
import { until } from '../browser/fixture/until.ts';

// Only addresses that count as secure are prerendered, and only without a debugger.
const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://127.0.0.1/*'] }];
const AHEAD = (path: string, next: string) => `<!doctype html><title>start</title>
<script type="speculationrules">{"prerender":[{"urls":["${path}"],"eagerness":"immediate"}]}</script>
<script>fetch('/hold/go-${next.slice(1)}').then(() => location.assign('${next}'))</script>`;
/** Asks for one thing at once, for another when the content script has long had time to send that, and for a third once it is shown. */
const PAGE = (name: string) => `<!doctype html><title>${name}</title><script>
const ask = (path) => fetch(path).then((response) => response.text());
ask('/wait/0/early-${name}').then(() => ask('/wait/2000/')).then(() => ask('/wait/0/settled-${name}'));
if (document.prerendering) document.addEventListener('prerenderingchange', () => ask('/wait/0/late-${name}'));
</script>`;

let app: TestApp;
let collector: TestCollector;
let extension: PackagedExtension;
let browser: UndrivenChromium | null = null;

beforeAll(async () => {
  app = await startTestApp({
    tls: null,
    roundTripMs: 20,
    pages: {
      '/ready': '<title>ready</title>',
      '/start': AHEAD('/shown', '/shown'),
      '/elsewhere': AHEAD('/unseen', '/other'),
      '/shown': PAGE('shown'),
      '/unseen': PAGE('unseen'),
      '/other': '<title>other</title>',
    },
  });
  collector = await startTestCollector(TARGETS);
  extension = await packageForTest('chromium', collector, TARGETS);
});

afterAll(async () => {
  await browser?.kill();
  await Promise.all([app?.close(), collector?.close(), extension?.remove()]);
});

test.runIf(ENGINES.includes('chromium'))(
  'a prerendered page is one page view once it is shown, and none if it never is',
  async () => {
    const url = (path: string) => `http://127.0.0.1:${app.port}${path}`;
    const chromium = await startFreshChromium(extension.dir);
    browser = chromium;
    const of = async (...templates: string[]) =>
      (await collector.samples()).filter(({ template }) => templates.some((one) => template.endsWith(one)));
    await chromium.open(url('/ready'));
    await until('the extension measures', async () => (await of('/ready')).length > 0);

    // Not side by side: Chromium prerenders for the tab in front.
    const prerendered = (name: string) =>
      until(`${name} is prerendered`, () => app.asked.includes(`/wait/0/settled-${name}`));
    await chromium.open(url('/elsewhere'));
    await prerendered('unseen');
    app.release('go-other');
    await until('the page that came instead is there', async () =>
      (await chromium.targets()).some(({ title }) => title === 'other'),
    );
    await chromium.open(url('/start'));
    await prerendered('shown');
    const before = Date.now();
    app.release('go-shown');
    const samples = await until('the shown page is stored', async () => {
      const found = await of('/shown', 'early-shown', 'late-shown');
      return found.length >= 3 ? found : null;
    });
    const byTemplate = Object.fromEntries(samples.map((sample) => [sample.template.split('/').at(-1), sample]));
    expect(samples).toHaveLength(3);
    expect(byTemplate.shown).toMatchObject({ type: 'document', excluded: 'prerender', connection: 'unknown' });
    expect(byTemplate.shown?.at).toBeGreaterThanOrEqual(before);
    expect(byTemplate['early-shown']).toMatchObject({ excluded: 'prerender' });
    expect(byTemplate['late-shown']).toMatchObject({ excluded: null });
    expect(await of('/unseen', 'early-unseen', 'late-unseen')).toEqual([]);
  },
);
