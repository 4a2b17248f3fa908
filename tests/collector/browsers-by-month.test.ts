import { expect, test } from 'vitest';
import type { Sample } from '../../shared/sample/sample.ts';
import { PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { browserId, fill } from './fill-store.ts';
import { type TestApp, testApp } from './test-app.ts';

const DAY = 24 * 3_600_000;
/** 1 March 2026, when all browsers took new ids. */
const FIRST = Date.UTC(2026, 2, 1);
const BROWSERS = 30;
const BOTH = 'from=2026-02-20T00:00:00Z&to=2026-03-01T12:00:00Z';
const MARCH = 'from=2026-03-01T00:00:00Z&to=2026-03-01T12:00:00Z';

const sample = (at: number, changes: Partial<Sample> = {}): Sample => ({ ...PLAIN_SAMPLE, at, ...changes });

/** A fleet of 30, of which 20 came back in March; five of those sent their last requests of February only then. */
async function twoMonths(): Promise<TestApp> {
  const app = await testApp();
  for (let i = 0; i < BROWSERS; i++) await fill(app.store, [sample(FIRST - 2 * DAY)], { client: browserId(i) });
  for (let i = 0; i < 20; i++) {
    const late = i < 5 ? [sample(FIRST - 1000)] : [];
    await fill(app.store, [...late, sample(FIRST + 1000 + i)], { client: browserId(100 + i) });
  }
  return app;
}

async function ask(app: TestApp, question: string) {
  const answer = await app.send({ url: `/api/v1/${question}`, as: 'admin' });
  expect([question, answer.statusCode]).toEqual([question, 200]);
  return answer.json();
}

const MOST = { browsers: BROWSERS, browsersMonth: '2026-02' };
const QUESTIONS = [
  'summary?by=host&',
  'summary?exact=true&',
  'summary?include=gapCuts&',
  'histogram?',
  'evidence?',
  'timeline?step=7d&',
];

async function counts(app: TestApp, question: string, range: string) {
  const { cells } = await ask(app, `${question}${range}`);
  expect(cells).toHaveLength(1);
  const [{ browsers, browsersMonth, steps = null }] = cells;
  return steps === null
    ? { browsers, browsersMonth }
    : steps.flatMap((step: typeof MOST | null) =>
        step === null ? [] : [{ browsers: step.browsers, browsersMonth: step.browsersMonth }],
      );
}

test.each(QUESTIONS)('%s counts the month with most browsers, from samples and from rollups', async (question) => {
  const app = await twoMonths();
  const ofBoth = question.startsWith('timeline') ? [MOST] : MOST;
  const ofMarch = { browsers: 20, browsersMonth: undefined };
  for (const _ of ['samples', 'rollups']) {
    expect(await counts(app, question, BOTH)).toEqual(ofBoth);
    expect(await counts(app, question, MARCH)).toEqual(question.startsWith('timeline') ? [ofMarch] : ofMarch);
    await app.store.maintenance.rollUp();
  }
});

test('half of it rolled up, a browser in both halves belongs to the month in which it was last seen', async () => {
  const app = await twoMonths();
  await app.store.maintenance.rollUp();
  // Ten more are back in March: 30 of each month, and the newer one is named.
  for (let i = 20; i < 30; i++) await fill(app.store, [sample(FIRST + 5000)], { client: browserId(100 + i) });
  // Its id lasts into March, by a clock that is behind.
  await fill(app.store, [sample(FIRST + 1)], { client: browserId(0) });
  expect(await counts(app, 'summary?by=host&', BOTH)).toEqual({ browsers: 31, browsersMonth: '2026-03' });
});

test('the fleet, its versions, sites and losses count alike', async () => {
  const app = await twoMonths();
  const { fleet } = await ask(app, `evidence?${BOTH}`);
  expect(fleet).toMatchObject({ ...MOST, versions: [MOST] });
  const { fleet: march } = await ask(app, `evidence?${MARCH}`);
  expect([march.browsers, march.browsersMonth]).toEqual([20, undefined]);
});

test('the report says which month it counted', async () => {
  const app = await twoMonths();
  const text = async (lang: string, range = BOTH, view = 'monthly') => {
    const { body } = await app.send({
      url: `/api/v1/report?view=${view}&format=text&lang=${lang}&${range}`,
      as: 'admin',
    });
    return body.replace(/\s+/g, ' ');
  };
  expect(await text('en')).toContain('Browsers (30 in February 2026, the peak month) made 55 requests');
  expect(await text('de')).toContain('Die Browser (30 im Februar 2026, dem stärksten Monat) stellten 55 Anfragen');
  expect(await text('en', BOTH, 'summary')).toContain('their ids change on the first');
  expect(await text('en', MARCH)).toContain('20 browsers made 20 requests');
});
