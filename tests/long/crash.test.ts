import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '../../shared/settings/settings-schema.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { createRestartableBrowser, type RestartableBrowser } from '../browser/fixture/restartable-browser.ts';
import { startTestApp, type TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const TARGETS: Target[] = [{ id: 'app', name: 'App', match: ['http://app.crash.test/*'] }];
const IMAGES = 40;
const PAGE = `<title>visit</title>${Array.from({ length: IMAGES }, (_, index) => `<img src="/wait/1/visit${index}.svg">`).join('')}`;

describe.each(ENGINES)('a crash of %s', (engine) => {
  let app: TestApp;
  let collector: TestCollector;
  let extension: PackagedExtension;
  let browser: RestartableBrowser;

  beforeAll(async () => {
    app = await startTestApp({ tls: null, roundTripMs: 0, pages: { '/': '<title>ready</title>', '/visit': PAGE } });
    collector = await startTestCollector(TARGETS);
    extension = await packageForTest(engine, collector, TARGETS);
    browser = await createRestartableBrowser(engine, extension.dir);
  });

  afterAll(async () => {
    await browser?.end();
    await Promise.all([app?.close(), collector?.close(), extension?.remove()]);
  });

  const url = (path: string) => `http://app.crash.test:${app.port}${path}`;
  const countOf = async (start: string) =>
    (await collector.samples()).filter(({ template }) => template.startsWith(start)).length;

  test('after a visit without a collector loses nothing and sends nothing twice', async () => {
    const run = await browser.start();
    await run.open(url('/'));
    await until('the first sample arrived', async () => (await countOf('/')) > 0);
    await collector.goDown();
    const received = collector.bodies.length;
    await run.open(url('/visit'));
    await until(
      'everything was fetched',
      () => app.asked.filter((path) => path.startsWith('/wait/')).length === IMAGES,
    );

    // Nobody answered during the visit. Now somebody listens, to tell when the whole visit lies on the browser's disk.
    collector.door({ batches: 'cut', settings: 'cut' });
    await collector.comeUp();
    const tried = () =>
      new Map(collector.bodies.slice(received).map((body) => [(JSON.parse(body) as WireBatch).batch, body]));
    await until('it was all tried to be sent', () => {
      const rows = [...tried().values()].map((body) => imagesOf(JSON.parse(body) as WireBatch));
      return rows.reduce((sum, count) => sum + count, 0) >= IMAGES;
    });
    await run.kill();
    const triedIds = [...tried().keys()];
    const triedCount = collector.bodies.length;
    expect(await countOf('/visit')).toBe(0);

    const again = await browser.start();
    collector.door({ batches: 'open', settings: 'open' });
    await until(
      'everything arrived',
      async () => (await countOf('/wait/')) >= IMAGES && (await countOf('/visit')) >= 1,
    );
    await again.open(url('/'));
    const before = await countOf('/');
    await until('what came after arrived too', async () => (await countOf('/')) > before);
    expect(await countOf('/wait/')).toBe(IMAGES);
    expect(await countOf('/visit')).toBe(1);
    // What was sealed before the crash came under its old id, as it would have if only the answer had been lost.
    const sentAgain = collector.bodies.slice(triedCount).join();
    for (const id of triedIds) expect(sentAgain).toContain(id);
  });
});

function imagesOf({ dictionaries, columns }: WireBatch): number {
  const templates = dictionaries.template ?? [];
  return (columns.template ?? []).filter((index) => index !== null && templates[index]?.startsWith('/wait/')).length;
}
