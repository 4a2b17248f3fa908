import { expect, onTestFinished, test } from 'vitest';
import type { JourneyResult } from '../../collector/analysis/probes/journey-results.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import { readPdf } from '../unit/report/pdf-text.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill, fillRuns } from './fill-store.ts';
import { request } from './report-samples.ts';
import { type TestApp, testApp } from './test-app.ts';

const DAY = 86_400_000;
const FROM = NOW - 5 * DAY;
const RANGE = `from=${new Date(FROM).toISOString()}&to=${new Date(NOW).toISOString()}`;
const SETTINGS = {
  version: 1,
  targets: [{ id: 'erp', name: 'Order system', match: ['https://erp.example.com/*'] }],
  probes: {
    enabled: true,
    schedule: [
      {
        id: 'order',
        target: 'erp',
        everyMinutes: 60,
        steps: [
          { url: 'https://erp.example.com/login', thresholdMs: 300 },
          { url: 'https://erp.example.com/orders', thresholdMs: 150 },
        ],
      },
      { id: 'search', target: 'erp', everyMinutes: 60, steps: [{ url: 'https://erp.example.com/search' }] },
    ],
  },
};

/** An hourly journey at four sites for four days, and one without thresholds; users are optional. */
async function monitored({ users = true } = {}): Promise<TestApp> {
  const app = await testApp();
  await app.store.settings.write(SETTINGS, null, NOW);
  const hours = Array.from({ length: 96 }, (_, hour) => ({ at: NOW - 4 * DAY + hour * 3_600_000, hour }));
  const done = (second: number) => ({ steps: [null, null], stepTimes: [200_000, second * 1000] });
  const failed = { steps: [null, 'text_missing' as const], stepTimes: [200_000, null] };
  const at = (n: number, site: string, run: (hour: number) => typeof failed | ReturnType<typeof done>) =>
    fillRuns(
      app.store,
      hours.map((one) => ({ at: one.at, ...run(one.hour) })),
      { client: browserId(n), site },
    );
  await at(1, 'Berlin', () => done(100));
  await at(2, 'Lyon', (hour) => done(hour % 10 === 0 ? 160 : 100));
  await at(3, 'Porto', (hour) => (hour < 94 ? done(100) : failed));
  await at(4, 'Osaka', (hour) => done(hour % 2 === 0 ? 170 : 100));
  await fillRuns(app.store, [{ at: NOW - DAY, steps: [null], stepTimes: [90_000] }], {
    ...{ client: browserId(1), site: '', journey: 'search' },
  });
  if (users) await fill(app.store, [request(NOW - DAY, { wait: 50 })]);
  return app;
}

const report = async (app: TestApp, query: string) =>
  app.send({ url: `/api/v1/report?view=monthly&${RANGE}&${query}`, as: 'admin' });

test('the report has a page of journeys: runs, availability, slowest step, and a light in words, worst first', async () => {
  const app = await monitored();
  const answer = await report(app, 'format=pdf');
  const [, page = '', next = ''] = readPdf(answer.rawPayload).pages.map((pieces) => pieces.join(' '));
  const rows = [
    '■ red order Order system Porto 94 2 97.9 % 2.1 % 300 step 1: 200 of 300 ms 2026-03-01 10:00 step 2: expected text missing',
    '■ red order Order system Osaka 96 0 100 % 50.0 % 300 step 1: 200 of 300 ms – –',
  ];
  expect(page).toMatch(/^Availability Journeys by site /);
  for (const light of ['■ red', '▲ yellow', '● green', '– no thresholds']) expect(page).toContain(light);
  expect(page).toContain(rows.join(' '));
  expect(next).toMatch(/^For engineers /);
});

test('programs get the numbers unrounded', async () => {
  const app = await monitored();
  const { journeys, journeysFrom } = (await report(app, 'format=json')).json();
  expect(journeysFrom).toBeNull();
  expect(
    journeys.map(({ journey, site, up, down, over, light }: JourneyResult) => [journey, site, up, down, over, light]),
  ).toEqual([
    ['order', 'Porto', 94, 2, 2, 'red'],
    ['order', 'Osaka', 96, 0, 48, 'red'],
    ['order', 'Lyon', 96, 0, 10, 'yellow'],
    ['order', 'Berlin', 96, 0, 0, 'green'],
    ['search', null, 1, 0, 0, null],
  ]);
  expect(journeys[0].steps[1]).toEqual({ runs: 94, median: 100, threshold: 150, over: 0 });
  const csv = (await report(app, 'format=csv&lang=de')).body;
  expect(csv).toContain('▲ gelb;order;erp;Lyon;96;0;1;0,104167;300;');
});

test('filters by app, site and journey hold; with others, which a run does not tell, there is no such page', async () => {
  const app = await monitored({ users: false });
  const sites = async (filter: string) =>
    (await report(app, `format=json&${filter}`)).json().journeys.map(({ site }: JourneyResult) => site);
  expect(await sites('site=Porto')).toEqual(['Porto']);
  expect(await sites('journey=search')).toEqual([null]);
  expect(await sites('target=crm')).toEqual([]);
  expect(await sites('host=erp.example.com')).toEqual([]);
  expect((await report(app, 'format=text&site=Porto')).body).toContain('■ red');
  expect((await report(app, 'format=text&host=erp.example.com')).body).not.toContain('Journeys');
});

test('it says where runs are no longer kept, and that business hours do not apply', async () => {
  const app = await monitored();
  const noted = async () => (await report(app, 'format=text&hours=Mon-Fri+08:00-18:00')).body.replaceAll(/\s+/g, ' ');
  expect(await noted()).toContain('Business hours do not apply here.');
  expect(await noted()).not.toContain('Runs are kept from');
  app.store.maintenance.keptFrom = async () => FROM + DAY;
  onTestFinished(() => app.store.close());
  expect(await noted()).toContain('Runs are kept from 2026-02-25 12:00 on.');
  expect((await report(app, 'format=json')).json().journeysFrom).toBe('2026-02-25T12:00:00.000Z');
});

test('viewers of a large fleet get no journey that fewer than five browsers run', async () => {
  const app = await monitored();
  await app.store.settings.write({ ...SETTINGS, privacy: { foldSmallGroups: true } }, 1, NOW);
  const answer = await app.send({ url: `/api/v1/report?view=monthly&${RANGE}&format=json`, as: 'read' });
  expect(answer.json().journeys).toEqual([]);
});

test('they get a recording, which only browsers without a user replay, from a single one of those', async () => {
  const app = await monitored();
  const [script, ...others] = SETTINGS.probes.schedule;
  const recording = { title: 'Order', steps: [{ type: 'navigate', url: 'https://erp.example.com/' }] };
  const { steps: _, ...order } = script as typeof script & { steps: unknown };
  const probes = { ...SETTINGS.probes, schedule: [{ ...order, recording }, ...others] };
  const settings = { ...SETTINGS, probes, privacy: { foldSmallGroups: true } } as Settings;
  await app.store.settings.write(settings, 1, NOW);
  const told = ['report?view=monthly&format=json', 'probes?'].map(async (address) => {
    const answer = await app.send({ url: `/api/v1/${address}&${RANGE}`, as: 'read' });
    return answer.json().journeys.map(({ journey, site }: JourneyResult) => `${journey} ${site}`);
  });
  const each = ['order Porto', 'order Berlin', 'order Lyon', 'order Osaka'];
  expect(await Promise.all(told)).toEqual([each, each]);
});

test('the report on probes has the table too', async () => {
  const app = await monitored();
  const answer = await app.send({ url: `/api/v1/report?view=probes&${RANGE}&format=csv`, as: 'admin' });
  expect(answer.body).toContain(
    '■ red,order,erp,Porto,94,2,0.979167,0.020833,300,step 1: 200 of 300 ms,2026-03-01 10:00Z,step 2: expected text missing,',
  );
});
