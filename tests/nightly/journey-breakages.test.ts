import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RobotBrowser } from '../../collector/lab/journey/robot-browser.ts';
import type { BreakReason } from '../../shared/vocabulary/break-reasons.ts';
import { BROKEN_ANSWERS, BROKEN_PAGES, page, recordingOf, save, servePages } from '../browser/fixture/broken-pages.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type JourneyApp, PASSWORD, startJourneyApp, USER } from '../browser/fixture/journey-app.ts';
import { recordingText, replay } from '../browser/fixture/journey-runs.ts';

/** The browser of the last run, for what users do to it. */
let robot: RobotBrowser;
vi.mock(import('../../collector/lab/journey/robot-browser.ts'), async (load) => {
  const { launchRobot } = await load();
  return { launchRobot: async (options) => (robot = await launchRobot(options)) };
});

let app: JourneyApp;
beforeAll(async () => {
  app = await startJourneyApp();
});
afterAll(() => app.close());

const serve = (pages: Parameters<typeof servePages>[1]) => servePages(app, pages);
const recording = (...steps: unknown[]) => recordingOf(app, ...steps);

describe.each(ENGINES)('%s', (engine) => {
  test.each(BROKEN_PAGES)(
    'names it when what is clicked is or leads to %s',
    async (_, reason, body, step, detail = /(?:)/) => {
      serve({ '/shop': page(body), '/broken': page('Sorry', 503), '/elsewhere': page('Elsewhere') });
      const run = await replay(recording(step), engine);
      expect(run).toMatchObject({ up: false, ms: null, broke: { step: 2, reason } });
      expect(run.broke?.detail ?? '').toMatch(detail);
      expect(run.steps.map(({ step }) => step)).toEqual([1, 2]);
    },
  );

  test.each(BROKEN_ANSWERS)('names it when the page is answered with %s', async (_, reason, answer, detail) => {
    serve({ '/shop': answer });
    const run = await replay(recording(save), engine);
    expect(run.broke).toMatchObject({ step: 1, reason, detail: expect.stringMatching(detail) });
  });

  test('says what the page has instead, without data', async () => {
    const body = `<h1>Order of jane@example.com</h1><button>Save order</button><a href="/">Home</a><script>console.error('x')</script>`;
    serve({ '/shop': page(`<input aria-label="Search" value="${PASSWORD}">${body}`) });
    const { broke } = await replay(
      recording({ ...save, selectors: [['aria/Save[role="button"]'], ['#save']] }),
      engine,
    );
    expect(broke).toEqual({
      step: 2,
      reason: 'element_not_found',
      detail: null,
      lookedFor: ['aria/Save[role="button"]', '#save'],
      page: {
        title: 'Shop {n}',
        url: `${app.origin}/shop`,
        status: 200,
        consoleErrors: 1,
        failedRequests: 0,
        nearest: expect.any(Array),
      },
    });
    expect(broke?.page?.nearest[0]).toEqual({ role: 'button', name: 'Save order' });
    expect(broke?.page?.nearest).toContainEqual({ role: 'heading', name: 'Order of {email}' });
  });

  test('sends a form once, whatever comes of it', async () => {
    app.fault = null;
    app.seen.length = 0;
    const document = JSON.parse(recordingText('newer-history', app));
    const wrong = await replay({ ...document, timeout: 1500 }, engine, { values: { user: USER, password: 'wrong' } });
    expect(wrong.broke).toMatchObject({ step: 4, reason: 'sign_in_page' });
    app.fault = {
      answer: (path, { method }, response) => {
        const isForm = path === '/login' && method === 'POST';
        if (isForm) response.writeHead(500).end();
        return isForm;
      },
    };
    const broken = await replay({ ...document, timeout: 1500 }, engine);
    expect(broken.broke).toMatchObject({ step: 4, reason: 'http_status', detail: '500' });
    expect(app.seen.filter(({ line }) => line === 'POST /login')).toHaveLength(2);
  });

  test('names a page that asks before it is left', async () => {
    // Slower than a page takes to settle.
    const asks = 'for (const from = Date.now(); Date.now() < from + 1500;); event.preventDefault();';
    serve({ '/shop': page(`<input id="a"><script>onbeforeunload = (event) => { ${asks} }</script>`) });
    const steps = [
      { type: 'change', value: 'x', selectors: ['#a'] },
      { type: 'navigate', url: `${app.origin}/login/x` },
    ];
    const { broke } = await replay(recording(...steps), engine);
    expect(broke).toMatchObject({ step: 3, reason: 'dialog', detail: expect.stringMatching(/^beforeunload/) });
  });

  test('does not wait for a page where a file is saved', async () => {
    serve({
      '/shop': page('<a id="save" href="/file">Save</a>'),
      '/file': (response) => void response.writeHead(200, { 'content-disposition': 'attachment' }).end('1,2'),
    });
    const run = await replay(recording(save, { type: 'navigate', url: `${app.origin}/file` }), engine);
    expect(run).toMatchObject({ up: true, steps: [{}, { requests: 1 }, { requests: 1 }] });
  });

  test('types line breaks only where there are lines, and a long text within a second of the step', async () => {
    serve({
      '/shop':
        page(`<form action="/said/sent"><input id="a" oninput="event.isTrusted && value.endsWith('z') && say(value.length)"></form>
        <textarea id="b" onchange="say(value)"></textarea>
        <script>const say = (what) => fetch('/said/' + encodeURIComponent(what))</script>`),
    });
    app.seen.length = 0;
    const type = (at: string, value: string) => ({ type: 'change', selectors: [at], value });
    const long = type('#a', `x\r\n${'y'.repeat(9_995)}\nz`);
    const run = await replay(recording(long, type('#b', 'a\r\nb\nc'), { type: 'click', selectors: ['#a'] }), engine);
    expect(run).toMatchObject({ up: true });
    expect(app.seen.flatMap(({ line }) => /said\/(.*)$/.exec(line)?.[1] ?? [])).toEqual(['9997', 'a%0Ab%0Ac']);
    expect(run.steps[1]?.ms ?? 0).toBeLessThan(1_000);
  });

  test('sends nothing more once it is stopped', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    serve({
      '/shop': page(`<button id="save" onmousedown="fetch('/down')" onclick="fetch('/said/clicked')">Save</button>`),
      '/down': () => stop.abort(reason),
    });
    app.seen.length = 0;
    const progress = () => {
      const { close } = robot;
      Object.assign(robot, { close: () => sleep(2_000).then(close) });
    };
    const run = replay(recording({ ...save, duration: 1_000 }), engine, { signal: stop.signal, progress });
    await expect(run).rejects.toBe(reason);
    expect(app.seen.map(({ line }) => line)).not.toContain('GET /said/clicked');
  });

  test('has no end where the only answer never comes', async () => {
    serve({ '/shop': page('<button id="save" onclick="fetch(\'/never\')">Save</button>'), '/never': () => {} });
    const { broke } = await replay(recording(save), engine);
    expect(broke).toMatchObject({ step: 2, reason: 'not_settled', detail: `${app.origin}/never` });
  });

  test('is not held open by an EventSource, and finds elements in frames and shadow roots, and those that come late', async () => {
    serve({
      '/shop': page(`<script>new EventSource('/stream')</script><iframe srcdoc="<button id=in>In</button>"></iframe>
        <div id="host"></div><div id="late"></div>
        <script>
          host.attachShadow({ mode: 'open' }).innerHTML = '<button class="deep">Deep</button>';
          setTimeout(() => { late.innerHTML = '<button>Late</button>'; }, 900);
        </script>`),
      '/stream': (response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
    });
    const started = performance.now();
    const run = await replay(
      recording(
        { type: 'click', selectors: ['#in'], frame: [0] },
        { type: 'click', selectors: [['#host', '.deep']] },
        { type: 'click', selectors: ['pierce/.deep'] },
        { type: 'click', selectors: ['aria/Late'], timeout: 5000 },
      ),
      engine,
    );
    expect(run).toMatchObject({ up: true, broke: null });
    expect(performance.now() - started).toBeLessThan(29_000);
  });

  test.each<[BreakReason, () => void]>([
    // The only tab takes the browser with it.
    ['page_closed', () => void robot.browser.newPage().then(() => robot.page.close())],
    ['browser_quit', () => void robot.browser.process()?.kill('SIGKILL')],
  ])('names it when the user ends it: %s', async (reason, end) => {
    serve({ '/shop': page(''), '/slow': end });
    const { broke } = await replay(recording({ type: 'navigate', url: `${app.origin}/slow` }), engine);
    expect(broke).toMatchObject({ step: 2, reason, page: null });
  });
});
