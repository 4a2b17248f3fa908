import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LAB_HOST, type LabSite, startLabSite } from '../../collector/lab/servers/lab-site.ts';
import type { RequestTruth } from '../../collector/lab/servers/server-truth.ts';
import type { Target } from '../../shared/settings/settings-schema.ts';
import { type BackgroundDiary, keepBackgroundDiary } from '../browser/fixture/background-diary.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { startFreshChromium, type UndrivenChromium } from '../browser/fixture/undriven-chromium.ts';
import { until } from '../browser/fixture/until.ts';
import { REQUEST } from '../unit/probe/fake-edges.ts';

const TARGETS: readonly Target[] = [{ id: 'lab', name: 'Lab', match: [`http://${LAB_HOST}/*`] }];

/** Ids of the rules in force, whenever they change. */
const WATCH_RULES = `(async () => {
  for (let last = null; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const rules = (await platform.declarativeNetRequest.getSessionRules()).map(({ id }) => id);
    if (last !== String(rules)) tell(rules);
    last = String(rules);
  }
})();`;

let seen: RequestTruth[];
let site: LabSite;
let collector: TestCollector;
let extension: PackagedExtension;
let diary: BackgroundDiary<readonly number[]>;
let browser: UndrivenChromium | null;

beforeEach(async () => {
  seen = [];
  browser = null;
  site = await startLabSite({
    now: Date.now(),
    roundTripMs: 0,
    serverDelayMs: 0,
    seen: (truth) => seen.push(truth),
  });
  collector = await startTestCollector(TARGETS);
  extension = await packageForTest('chromium', collector, TARGETS, true);
  diary = await keepBackgroundDiary(extension.dir, WATCH_RULES);
});
afterEach(async () => {
  await browser?.kill();
  await Promise.all([site.close(), collector.close(), extension.remove(), diary.close()]);
});

test.runIf(ENGINES.includes('chromium'))(
  'what a worker that was stopped amid a ladder left in force is taken away by the next one',
  async () => {
    const url = `http://${LAB_HOST}:${site.ports.tls13}/slow/600000/4k`;
    const request = { ...REQUEST, url, otherUrl: null, timeoutMs: 600_000 };
    const packaged = { answerTo: collector.origin, request };
    await writeFile(join(extension.dir, 'probe-now.json'), JSON.stringify(packaged));
    browser = await startFreshChromium(extension.dir);
    await until('a request of the probe is under way', () => seen.length > 0);
    expect(seen[0]?.probe).toBe(REQUEST.id);
    const worker = await browser.worker();
    await browser.stopWorker();
    await browser.open(new URL('popup.html', worker?.url).href);
    const second = await until('another worker runs', () => diary.lives()[1] ?? null);
    const told = () => diary.entries.filter(({ born }) => born === second).map(({ told: rules }) => rules);
    await until('it has no rules in force', () => told().at(-1)?.length === 0);
    // They outlive a worker: without the removal they would have stayed.
    expect(told()[0]).not.toEqual([]);
  },
);
