import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { run } from '../collector/command.ts';
import { ONE_ENGINE } from './fixture/engines.ts';
import { DELAYS, type JourneyApp, PASSWORD, startJourneyApp, USER } from './fixture/journey-app.ts';
import { recordingText } from './fixture/journey-runs.ts';
import { startTestCollector } from './fixture/test-collector.ts';
import { until } from './fixture/until.ts';

let app: JourneyApp;
let folder: string;

beforeAll(async () => {
  app = await startJourneyApp();
  folder = await mkdtemp(join(tmpdir(), 'lastbyte-journey-test-'));
  await writeFile(join(folder, 'password'), `${PASSWORD}\n`);
  await writeFile(join(folder, 'order.json'), recordingText('newer-history', app));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const command = (engine: string, ...more: readonly string[]) => [
  ...['journey', 'run', join(folder, 'order.json'), '--browser', engine],
  ...['--var-file', `password=${join(folder, 'password')}`, ...more],
];
const user = { LASTBYTE_VAR_user: USER };

test.each(ONE_ENGINE)(
  'a path of eight steps with a sign-in, from %s, as JSON and without its secrets',
  async (engine) => {
    app.fault = null;
    const { code, stdout, stderr } = await run(command(engine, '--json'), '', user);
    expect([code, stderr]).toEqual([0, `Replaying Order (history) with ${engine}: 8 steps.\n`]);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      journey: { title: 'Order (history)', id: 'order-history', target: 'erp' },
      browser: engine,
      up: true,
      broke: null,
    });
    expect(document.steps.map(({ name }: { name: string }) => name).slice(3)).toEqual([
      ...['Sign in', 'click Orders', 'click Order 7', 'Save', 'click Sign out'],
    ]);
    expect(document.ms).toBeGreaterThan(800);
    for (const secret of [USER, PASSWORD]) expect(stdout + stderr).not.toContain(secret);
  },
);

test.each(ONE_ENGINE)(
  'a run is sent to a collector as a robot of %s sends it, and without its secrets',
  async (engine) => {
    app.fault = null;
    const collector = await startTestCollector([{ id: 'erp', name: 'ERP', match: [`${app.origin}/*`] }]);
    try {
      const sending = ['--collector', collector.origin, '--site', 'Berlin'];
      const refused = await run(command(engine, ...sending), '', { ...user, LASTBYTE_INGEST_KEY: 'lb_ingest_wrong' });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('(unauthorized)')]);
      const { code, stderr } = await run(command(engine, ...sending), '', {
        ...user,
        LASTBYTE_INGEST_KEY: collector.key,
      });
      expect([code, stderr]).toEqual([0, expect.stringContaining(`Sent to ${collector.origin}.`)]);
      const samples = await collector.samples();
      const orders = samples.filter(({ step }) => step === 5);
      expect(orders).toMatchObject([
        {
          journey: 'order-history',
          target: 'erp',
          source: 'probe-script',
          template: '/api/orders',
          type: 'fetch',
          status: 200,
          excluded: null,
        },
      ]);
      const [{ times, origin, connection }] = orders as [StoredSample];
      expect([origin.site, origin.browser, connection]).toEqual(['Berlin', engine, 'reused']);
      expect(times.wait).toBeGreaterThan(DELAYS.orders * 1000);
      expect(samples.find(({ type, step }) => type === 'document' && step === 1)).toMatchObject({
        connection: engine === 'chromium' ? 'unknown' : 'new',
        template: '/login/history',
      });
      const { journeys } = (await collector.ask('/api/v1/probes')) as { journeys: unknown[] };
      expect(journeys).toMatchObject([{ journey: 'order-history', site: 'Berlin', up: 1, down: 0, broken: null }]);
      for (const secret of [USER, PASSWORD]) expect(collector.bodies.join()).not.toContain(secret);
    } finally {
      await collector.close();
    }
  },
);

test.each(ONE_ENGINE)('what broke, from %s, for people, and without its secrets', async (engine) => {
  app.fault = {
    script: `document.title = 'Hello ${USER} ${PASSWORD}'; document.querySelector('#orders').textContent = '${PASSWORD}';
    document.querySelector('#orders').id = 'other';`,
  };
  const { code, stdout, stderr } = await run(command(engine), '', user);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^step {2}Order \(history\) +ms +requests +connections +KB$/m);
  expect(stdout).toContain('Down: step 5 of 8, click Orders: the page has no such element.');
  expect(stdout).toContain('the page: “Hello {{user}} {{password}}”, ');
  expect(stdout).toContain('button “{{password}}”');
  for (const secret of [USER, PASSWORD]) expect(stdout + stderr).not.toContain(secret);
});

test.each(
  ONE_ENGINE.flatMap((engine) => [
    ['Ctrl-C', 'SIGINT', engine] as const,
    ['a closed terminal', 'SIGHUP', engine] as const,
  ]),
)('%s, that is %s, ends %s, says how far it came, and leaves nothing behind', async (_, signal, engine) => {
  let isAsked = false;
  app.fault = {
    answer: (path) => {
      isAsked ||= path === '/login/history';
      return true;
    },
  };
  const temporary = join(folder, signal);
  await mkdir(temporary);
  const child = spawn(process.execPath, ['dist/lastbyte.mjs', ...command(engine)], {
    env: { ...process.env, ...user, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = text(child.stderr);
  const ended = once(child, 'close');
  await until('the first page is asked for', () => isAsked);
  child.kill(signal);
  expect((await ended)[0]).toBe(1);
  expect(await told).toContain('lastbyte: stopped in step 1 of 8. The browser has been ended.');
  expect((await readdir(temporary)).filter((name) => name.includes('lastbyte'))).toEqual([]);
});
