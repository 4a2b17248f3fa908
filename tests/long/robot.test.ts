import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe.each(ENGINES)('a run that is not left alone in %s', (engine) => {
  let robot: Robot;
  let before: number;
  const tabs = async () => ((await robot.call('tabs.query({})')) as unknown[]).length;
  const scripts = () => robot.call(`scripting.getRegisteredContentScripts({ ids: ['robot-page', 'robot-world'] })`);
  const inRobotsPage = (what: string) =>
    robot.options.evaluate(
      `(globalThis.browser ?? chrome).extension.getViews().find(({ location }) => location.pathname === '/robot.html').${what}`,
    );
  /** A form that is sent in the second step; the third step comes two seconds after its answer. */
  const recording = () =>
    recordingOf(
      app,
      { type: 'click', selectors: ['#send'] },
      { type: 'click', selectors: ['#next'], lastbyte: { thinkMs: 2_000 } },
    );
  let sent: () => void;

  beforeAll(async () => {
    robot = await startRobot(engine, app.origin);
    before = await tabs();
  });
  afterAll(() => robot?.close());
  beforeEach(() => {
    const form = `<form method="post" action="/sent"><button id="send">Send</button></form>`;
    sent = () => {};
    app.seen.length = 0;
    servePages(app, {
      '/shop': page(form),
      '/sent': (response, request) => {
        page(`<a id="next" href="/next">Next</a>`)(response, request);
        sent();
      },
      '/next': page('Next'),
    });
  });

  async function nothingIsLeft(): Promise<void> {
    await until('its tabs are gone', async () => ((await tabs()) === before ? true : null));
    expect(await scripts()).toEqual([]);
    expect(app.seen.map(({ line }) => line).filter((line) => /sent|next/.test(line))).toEqual(['POST /sent']);
  }

  test.each([
    ['loaded again', 'location.reload()'],
    ['closed', 'close()'],
  ])('sends its form once if its own page is %s', async (_, what) => {
    sent = () => void inRobotsPage(what);
    expect(await robot.replay(recording())).toMatchObject({ steps: [null, 'page_closed'] });
    await nothingIsLeft();
  });

  test.each([
    [
      'its probes are switched off',
      () => robot.collector.apply({ enabled: false, schedule: [] }).then(() => robot.send({ kind: 'refresh' })),
    ],
    ['measuring is paused', () => robot.send({ kind: 'pause', length: 'hour' })],
    ['it is no robot any more', () => robot.send({ kind: 'declare', role: 'robot', on: false })],
  ])('does no further step if %s', async (_, stop) => {
    const id = await robot.give(recording());
    sent = () => void stop();
    await robot.send({ kind: 'robot-run', id });
    await nothingIsLeft();
    await robot.send({ kind: 'pause', length: null });
    await robot.send({ kind: 'declare', role: 'robot', on: true });
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
