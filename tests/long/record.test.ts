import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordJourney } from '../../collector/lab/journey/record-journey.ts';
import { nameStep } from '../../shared/journeys/name-step.ts';
import { readRecording } from '../../shared/journeys/read-recording.ts';
import type { Recording } from '../../shared/journeys/recording.ts';
import { namesOfVariables } from '../../shared/journeys/variables.ts';
import { type DrivenExtension, startDrivenExtension } from '../browser/fixture/driven-extension.ts';
import { ENGINES, executableOf } from '../browser/fixture/engines.ts';
import { type JourneyApp, PASSWORD, startJourneyApp, USER } from '../browser/fixture/journey-app.ts';
import { replay } from '../browser/fixture/journey-runs.ts';
import { type PackagedExtension, packageForTest } from '../browser/fixture/packaged-extension.ts';
import { startTestCollector, type TestCollector } from '../browser/fixture/test-collector.ts';
import { until } from '../browser/fixture/until.ts';

const SECRETS = { password: 'Sesame-open-99', code: '481516', card: '4111 1111 1111 1111', email: 'jo@example.com' };
const TARGET = { id: 'erp', name: 'ERP', match: ['http://127.0.0.1/*'] };

describe.each(ENGINES)('%s', (engine) => {
  let app: JourneyApp;
  let collector: TestCollector;
  let extension: PackagedExtension;
  let browser: DrivenExtension;
  let popup: Page;

  beforeAll(async () => {
    [app, collector] = await Promise.all([startJourneyApp(), startTestCollector([TARGET])]);
    extension = await packageForTest(engine, collector, [TARGET]);
    browser = await startDrivenExtension(engine, extension.dir);
    await until('the extension asked for its settings', () => collector.settingsAsked() > 0);
    const options = await browser.open('options.html');
    await until('the options are there', () =>
      options.evaluate(() => !document.querySelector('#state')?.textContent?.includes('…')),
    );
    await options.click('#recorder');
    popup = await browser.open('popup.html');
    await options.close();
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([app?.close(), collector?.close(), extension?.remove()]);
  });

  /** With the tab of the app in front, as it is below the real popup. */
  async function record(path: string): Promise<void> {
    await browser.page.goto(app.origin + path);
    await browser.page.bringToFront();
    await popup.evaluate(() => {
      document.querySelector('#record')?.remove();
      location.reload();
    });
    // Evaluating fails between the two documents.
    await until('the popup offers to start', () => press('Start').catch(() => false));
    await until('it records', async () => /Recording: 2 steps/.test(await shown()));
  }

  const shown = () => popup.evaluate(() => document.querySelector<HTMLElement>('#record')?.innerText ?? '');

  function press(label: string): Promise<boolean> {
    return popup.evaluate((name) => {
      const button = [...document.querySelectorAll<HTMLButtonElement>('#record button')].find(
        (each) => each.textContent === name,
      );
      button?.click();
      return button !== undefined;
    }, label);
  }

  async function finish(): Promise<Recording> {
    await press('Stop');
    await until('its steps are shown', async () => (await shown()).includes('Name of the journey'));
    await popup.evaluate(() => {
      const create = URL.createObjectURL;
      URL.createObjectURL = (blob: Blob) => {
        blob.text().then((saved) => Object.assign(window, { saved }));
        return create.call(URL, blob);
      };
    });
    await press('Download');
    await until('it is downloaded', () => popup.evaluate(() => 'saved' in window));
    const verdict = readRecording(
      JSON.parse(await popup.evaluate(() => (window as unknown as { saved: string }).saved)),
      null,
    );
    await press('Discard');
    if (!verdict.ok) throw new Error(JSON.stringify(verdict.problems));
    return verdict.recording;
  }

  async function type(selector: string, text: string): Promise<void> {
    await browser.page.locator(selector).click();
    await browser.page.keyboard.type(text);
  }

  test('a path with a sign-in through a React-like app runs as it was recorded', async () => {
    const { page } = browser;
    await record('/login/preact');
    await type('#user', USER);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('#orders').wait();
    // A background may end at any time.
    await browser.endBackground();
    await page.locator('#orders').click();
    await page.locator('main li button').click();
    await page.locator('#status').wait();
    await page.focus('#status');
    await page.keyboard.press('ArrowDown');
    await page.locator('#save').click();
    await page.locator('[role=status]').wait();
    await page.locator('#sign-out').click();
    await page.locator('::-p-text(Signed out)').wait();
    const recording = await finish();
    expect(recording.steps.map(nameStep)).toEqual([
      ...['setViewport 1000 × 800', `navigate ${app.origin}/login/preact`, 'change User', 'Password'],
      ...[
        'keyDown Enter',
        'keyUp Enter',
        'click Orders',
        'click Order 7',
        'change Status',
        'click Save',
        'click Sign out',
      ],
    ]);
    const { up, broke } = await replay(recording, engine, { values: { email: USER, password: PASSWORD } });
    expect([up, broke]).toEqual([true, null]);
  });

  test('in a frame and in a shadow root, and nothing that the page does by itself', async () => {
    const { page } = browser;
    await record('/parts');
    await page.evaluate(`check.click(); note.value = 'x'; note.dispatchEvent(new Event('input', { bubbles: true }));
      note.dispatchEvent(new Event('change', { bubbles: true }));
      twice.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); twice.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
      twice.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); note.value = '';`);
    await page.locator('>>> .deep').click();
    await (await page.frames()[1]?.waitForSelector('#framed'))?.click();
    await type('#note', 'one');
    await page.locator('#twice').click({ count: 2 });
    await page.keyboard.press('Escape');
    await until('all is recorded', async () => (await shown()).includes('8 steps'));
    const recording = await finish();
    expect(recording.steps.slice(2)).toMatchObject([
      { type: 'click', selectors: ['aria/In a shadow root[role="button"]', ['#host', 'button']] },
      { type: 'click', selectors: ['aria/In a frame[role="button"]', '#framed', 'html > body > button'], frame: [0] },
      { type: 'change', value: 'one' },
      { type: 'doubleClick' },
      { type: 'keyDown', key: 'Escape' },
      { type: 'keyUp', key: 'Escape' },
    ]);
    app.seen.length = 0;
    expect(await replay(recording, engine)).toMatchObject({ up: true });
    const said = app.seen.map(({ line }) => line).filter((line) => line.includes('/said/'));
    expect(said).toEqual(['deep', 'framed', 'noteone', 'twice'].map((each) => `GET /said/${each}`));
  });

  test('steps that are on their way do not undo a stop', async () => {
    const { page } = browser;
    await record('/parts');
    const keys = Array.from({ length: 40 }, () => page.keyboard.press('Escape'));
    await until('some are recorded', async () => !/Recording: 2 steps/.test(await shown()));
    await press('Stop');
    await until('its steps are shown', async () => (await shown()).includes('Name of the journey'));
    const stopped = await shown();
    await Promise.all(keys);
    // The page's next step is refused, which ends its recorder: none can come later.
    await page.keyboard.press('Escape');
    const later = await shown();
    await press('Discard');
    expect(later).toBe(stopped);
  });

  test('no secret that was typed is in the file, nor in the storage of the extension', async () => {
    const { page } = browser;
    await record('/secrets');
    await type('#contact', SECRETS.email);
    await page.locator('#show').click();
    await type('#hidden', SECRETS.password);
    await type('#otp', SECRETS.code);
    await type('#card', SECRETS.card);
    await type('#part', 'Bolts');
    await page.locator('#echo').click();
    await page.locator('#out button').click();
    await page.reload();
    await page.locator('#echo').click();
    await until('all is recorded', async () => (await shown()).includes('12 steps'));
    const stored = await popup.evaluate(async () => {
      const { storage } = (
        globalThis as unknown as { chrome: { storage: Record<string, { get(keys: null): unknown }> } }
      ).chrome;
      const read = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => {
          request.onsuccess = () => resolve(request.result);
        });
      const databases = await Promise.all(
        (await indexedDB.databases()).map(async ({ name = '' }) => {
          const database = await read(indexedDB.open(name));
          return Promise.all(
            [...database.objectStoreNames].map((store) =>
              read(database.transaction(store).objectStore(store).getAll()),
            ),
          );
        }),
      );
      return JSON.stringify([await storage.session?.get(null), await storage.local?.get(null), databases]);
    });
    expect(stored).toContain('Bolts');
    const recording = await finish();
    const text = JSON.stringify(recording);
    expect(namesOfVariables(recording)).toEqual(['email', 'password', 'code', 'card']);
    expect(text).toContain('Bolts');
    for (const secret of [...Object.values(SECRETS), encodeURIComponent(SECRETS.email), '4111'])
      expect(stored + text).not.toContain(secret);
  });
});

describe.each(ENGINES)('by the command, %s', (engine) => {
  let app: JourneyApp;
  let folder: string;

  beforeAll(async () => {
    app = await startJourneyApp();
    folder = await mkdtemp(join(tmpdir(), 'lastbyte-record-test-'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a sign-in runs as it was recorded', async () => {
    const stop = new AbortController();
    const act = async (page: Page) => {
      await page.locator('#user').click();
      await page.keyboard.type(USER);
      await page.locator('#password').click();
      await page.keyboard.type(PASSWORD);
      await page.locator('#sign-in').click();
      await page.locator('#orders').click();
      await page.locator('::-p-text(Order 7)').wait();
    };
    const recording = await recordJourney({
      engine,
      executable: executableOf(engine),
      headless: true,
      url: `${app.origin}/login/hash`,
      recorder: await readFile(`dist/extension/${engine}/recorder.js`, 'utf8'),
      signal: stop.signal,
      // Firefox' driver cannot close the last tab.
      opened: (page) => void act(page).finally(() => (engine === 'chromium' ? page.close() : stop.abort())),
    });
    expect(JSON.stringify(recording)).not.toMatch(new RegExp(`${USER}|${PASSWORD}`));
    expect(recording.steps.map(nameStep).slice(2)).toEqual([
      'change User',
      'Password',
      'click Sign in',
      'click Orders',
    ]);
    expect(await replay(recording, engine, { values: { email: USER, password: PASSWORD } })).toMatchObject({
      up: true,
    });
  });

  test('the file is written at Ctrl-C, and never over another', async () => {
    const out = join(folder, 'parts.json');
    const command = [
      'dist/lastbyte.mjs',
      'journey',
      'record',
      `${app.origin}/parts`,
      '--headless',
      '--browser',
      engine,
    ];
    const start = () => {
      const child = spawn(process.execPath, [...command, '--out', out], { stdio: ['ignore', 'pipe', 'pipe'] });
      return { child, told: Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]) };
    };
    const { child, told } = start();
    let said = '';
    child.stderr.on('data', (more) => {
      said += more;
    });
    await until('it records', () => said.includes('Recording.'));
    child.kill('SIGINT');
    const [[code], stdout] = await told;
    expect([code, stdout]).toEqual([0, expect.stringContaining(`2  navigate ${app.origin}/parts`)]);
    expect(readRecording(JSON.parse(await readFile(out, 'utf8')), null)).toMatchObject({ ok: true });
    const [[again], , stderr] = await start().told;
    expect([again, stderr]).toEqual([
      2,
      expect.stringContaining('is there already. Name another file, or add --force'),
    ]);
  });
});
