import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCRIPT_SOURCE } from '../../shared/vocabulary/vocabulary.ts';
import { page, recordingOf, servePages } from '../browser/fixture/broken-pages.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { DELAYS, FLAVOURS, type JourneyApp, startJourneyApp } from '../browser/fixture/journey-app.ts';
import { filledRecording, recordingText } from '../browser/fixture/journey-runs.ts';
import { type Robot, startRobot } from '../browser/fixture/robot.ts';
import { until } from '../browser/fixture/until.ts';

/** Steps that cause requests, their requests, and how long the server takes for them, ms. */
const CAUSED = new Map([
  [1, { paths: ['/login'], atLeast: DELAYS.login }],
  [4, { paths: ['/login', '/api/orders'], atLeast: DELAYS.signIn + DELAYS.shell }],
  [5, { paths: ['/api/orders'], atLeast: DELAYS.orders }],
  [6, { paths: ['/api/orders/{n}'], atLeast: DELAYS.order }],
  [7, { paths: ['/api/orders/{n}'], atLeast: DELAYS.save }],
  [8, { paths: ['/sign-out'], atLeast: DELAYS.signOut }],
]);
const NO_REQUEST = [2, 3];

let app: JourneyApp;
beforeAll(async () => {
  app = await startJourneyApp();
});
afterAll(() => app.close());

describe.each(ENGINES)('%s', (engine) => {
  let robot: Robot;
  beforeAll(async () => {
    robot = await startRobot(engine, app.origin);
  });
  afterAll(() => robot?.close());

  test.each(FLAVOURS)('a robot replays a path of eight steps with a sign-in: %s', async (flavour) => {
    app.fault = null;
    const run = await robot.replay(filledRecording(`newer-${flavour}`, app));
    expect(run).toMatchObject({ target: 'erp', skipped: null, steps: Array(8).fill(null) });
    for (const [index, time] of (run.stepTimes ?? []).entries()) {
      if (NO_REQUEST.includes(index + 1)) expect(time).toBeNull();
      else expect(time, `step ${index + 1}`).toBeGreaterThanOrEqual((CAUSED.get(index + 1)?.atLeast ?? 0) * 1000);
    }
    const samples = await until(`the samples of ${flavour} from ${engine}`, async () => {
      const own = (await robot.collector.samples()).filter(({ journey }) => journey === run.probe);
      return own.some(({ step }) => step === 8) ? own : null;
    });
    for (const { source, step, run: at, target } of samples) {
      expect([source, target, at]).toEqual([SCRIPT_SOURCE, 'erp', run.at]);
      expect([...CAUSED.keys()]).toContain(step);
    }
    const paths = (wanted: number) =>
      new Set(
        samples.flatMap(({ step, template }) => (step === wanted && template !== '/favicon.ico' ? template : [])),
      );
    for (const step of [5, 6, 7, 8]) expect([...paths(step)], `step ${step}`).toEqual(CAUSED.get(step)?.paths);
  });

  test('a recording of frames, shadow roots and all kinds of fields does what was recorded', async () => {
    app.fault = null;
    app.seen.length = 0;
    const run = await robot.replay(JSON.parse(recordingText('recorder-parts', app)));
    expect(run.broke).toBeUndefined();
    const said = app.seen.flatMap(({ line }) => /said\/(.*)$/.exec(line)?.[1] ?? []);
    expect(said).toEqual(['framed', 'deep', 'checktrue', 'noteTwo%20words', 'sizeM', 'twice']);
  });

  test('a page that is opened outside a run is nobody’s', async () => {
    app.fault = null;
    const tab = await robot.browser.open(`${app.origin}/login/outside`);
    await tab.close();
    // What comes after it is there: so would the page be.
    const { probe } = await robot.replay(recordingOf(app));
    const samples = await until('the samples of the run', async () => {
      const all = await robot.collector.samples();
      return all.some(({ journey }) => journey === probe) ? all : null;
    });
    expect(samples.filter(({ template }) => template === '/login/outside')).toEqual([]);
  });

  test('a run is broken at its step if somebody closes its page, and leaves no tab behind', async () => {
    const tabs = async () => ((await robot.call('tabs.query({})')) as unknown[]).length;
    const before = await tabs();
    servePages(app, {
      '/shop': page(''),
      '/slow': () =>
        void robot.call(
          `tabs.query({ url: 'http://127.0.0.1/*' }).then(([tab]) => (globalThis.browser ?? chrome).tabs.remove(tab.id))`,
        ),
    });
    const run = await robot.replay(recordingOf(app, { type: 'navigate', url: `${app.origin}/slow` }));
    expect(run).toMatchObject({ steps: [null, 'page_closed'], broke: { step: 2, page: null } });
    await until('all tabs of the run are gone', async () => ((await tabs()) === before ? true : null));
  });
});

test.each(ENGINES)('a browser that is no robot refuses, once, and opens nothing: %s', async (engine) => {
  const ordinary = await startRobot(engine, app.origin, false);
  try {
    app.seen.length = 0;
    const run = await ordinary.replay(filledRecording('newer-history', app));
    expect(run).toMatchObject({ skipped: 'not_robot', steps: [] });
    expect(app.seen).toEqual([]);
  } finally {
    await ordinary.close();
  }
});
