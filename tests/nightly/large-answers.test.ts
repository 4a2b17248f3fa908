import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../collector/storage/open-store.ts';
import { browserId, fill } from '../collector/fill-store.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { testApp } from '../collector/test-app.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';

const built = (name: string) => pathToFileURL(join(import.meta.dirname, '../../dist', name));

const PAGES = 1000;
const HOSTS = 40;
const BROWSERS = 60;
/** Two dozen questions over threads that are started for the test. */
const LONG = { timeout: 240_000 };
const TEMPLATE = 'a-template-as-long-as-they-come/'.repeat(6);
/** Of one answer, the event loop may see its method: the same few values however large the rest is. */
const MAX_VALUES = 100;
const MAX_TEXT = 3_000;

const WEEK = `from=${new Date(NOW - 7 * 86_400_000).toISOString()}&to=${new Date(NOW).toISOString()}`;

/** A collector whose questions and reports are answered in threads, as `lastbyte serve` has them. */
async function threadedApp() {
  const store = await openStore({
    folder: await temporaryFolder(),
    // Without a server's maintenance, whose messages are none of an answer.
    as: 'command',
    threadScript: built('store-thread.mjs'),
  });
  for (let browser = 0; browser < BROWSERS; browser++) {
    const own = browser === 0 ? PAGES : 1;
    const samples = Array.from({ length: own }, (_, page) => ({
      ...PLAIN_SAMPLE,
      at: NOW - 3_600_000 - page * 60_000,
      host: `host-${page % HOSTS}.example.com`,
      template: `/${TEMPLATE}${page}`,
    }));
    await fill(store, samples, { client: browserId(browser) });
  }
  return testApp({ store, reportThread: built('report-thread.mjs') });
}

/** The largest message from any thread, in values, and the longest text that was written as JSON in this thread. */
function watchThisThread() {
  const seen = { values: 0, text: 0 };
  const { emit } = Worker.prototype;
  const { stringify } = JSON;
  vi.spyOn(Worker.prototype, 'emit').mockImplementation(function (this: Worker, name, ...more) {
    if (name === 'message') seen.values = Math.max(seen.values, valuesIn(more[0]));
    return emit.call(this, name as 'message', ...(more as [unknown]));
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((...input: unknown[]) => {
    const text = stringify(...(input as Parameters<typeof stringify>));
    seen.text = Math.max(seen.text, text?.length ?? 0);
    return text;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return seen;
}

/** Bytes are one: to take them over costs nothing. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesIn(member), 1);
}

test(
  'a large answer passes the event loop as bytes: nothing of it is cloned, built or written there',
  LONG,
  async () => {
    const app = await threadedApp();
    const urls = [
      `pages?limit=${PAGES}&${WEEK}`,
      `summary?by=host,type&include=sharesAbove,serverShares&${WEEK}`,
      `timeline?by=host&step=15m&${WEEK}`,
      `histogram?by=host&${WEEK}`,
      `evidence?by=host&${WEEK}`,
      `fleet?${WEEK}`,
      ...['json', 'csv', 'md', 'text'].map((format) => `report?view=pages&format=${format}&${WEEK}`),
      `report?view=summary&by=host,type&${WEEK}`,
      `report?view=monthly&${WEEK}`,
    ];
    for (const url of urls) {
      for (const accept of url.startsWith('report') ? ['*/*'] : ['*/*', 'application/x-ndjson']) {
        const seen = watchThisThread();
        const answer = await app.send({ url: `/api/v1/${url}`, as: 'admin', headers: { accept } });
        vi.restoreAllMocks();
        const about = `${url} ${accept}: ${answer.statusCode}, ${answer.rawPayload.length} bytes`;
        expect(answer.statusCode, about).toBe(200);
        expect(answer.rawPayload.length, about).toBeGreaterThan(2 * MAX_TEXT);
        expect(seen.values, about).toBeLessThan(MAX_VALUES);
        expect(seen.text, about).toBeLessThan(MAX_TEXT);
      }
    }
  },
);
