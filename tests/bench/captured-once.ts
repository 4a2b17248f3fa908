import type { BrowserEngine } from '../../shared/vocabulary/vocabulary.ts';
import { startMeasuredBrowser } from '../browser/fixture/measured-browser.ts';
import type { TestApp } from '../browser/fixture/test-app.ts';
import { startTestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';
import { APP_HOST, APP_TARGETS, PICTURE } from './page-of-resources.ts';

/** Nothing here is timed: a busy machine may take its time. */
const PATIENCE_MS = 120_000;

/** Of the page's resources, those that arrived at a collector exactly once. */
export async function capturedOnce(engine: BrowserEngine, app: TestApp): Promise<number> {
  const collector = await startTestCollector(APP_TARGETS);
  const browser = await startMeasuredBrowser(engine, collector, APP_TARGETS, []).catch(async (error) => {
    await collector.close();
    throw error;
  });
  const url = (path: string) => `http://${APP_HOST}:${app.port}${path}`;
  const has = (template: string) => async () =>
    (await collector.samples()).some((sample) => sample.template === template);
  try {
    const tab = await browser.open('about:blank');
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0, PATIENCE_MS);
    await until(
      'the first sample arrived',
      async () => {
        await tab.goto(url('/ready'));
        return has('/ready')();
      },
      PATIENCE_MS,
    );
    await tab.goto(url('/resources'));
    await tab.goto(url('/after'));
    // Groups are taken and sent in their order, so what was seen before has come, twice if ever.
    await until('what came after it arrived', has('/after'), PATIENCE_MS);
    const seen = new Map<number | null, number>();
    for (const { template, encodedBodySize } of await collector.samples()) {
      if (template === PICTURE) seen.set(encodedBodySize, (seen.get(encodedBodySize) ?? 0) + 1);
    }
    return [...seen.values()].filter((times) => times === 1).length;
  } finally {
    await browser.close();
    await collector.close();
  }
}
