import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../browser/fixture/engines.ts';
import { DELAYS, FLAVOURS, type JourneyApp, startJourneyApp } from '../browser/fixture/journey-app.ts';
import { recordingText, replay } from '../browser/fixture/journey-runs.ts';
import { watchLateness } from '../browser/fixture/machine-lateness.ts';

/**
 * A step's time is the server's own, and what the browser takes for a click and a page: 20 to 50 ms on an idle machine, where its
 * processes wait for nobody.
 */
const BROWSER_MS = 100;
const LATE_MS = 500;
/** What the server sees of each step that causes requests, in order, and how long it takes at least, ms. */
const CAUSED = [
  [1, ['GET /login/*'], DELAYS.login],
  [4, ['POST /login', 'GET /*', 'GET /preact.js'], DELAYS.signIn + DELAYS.shell],
  [5, ['GET /api/orders'], DELAYS.orders],
  [6, ['GET /api/orders/7'], DELAYS.order],
  [7, ['POST /api/orders/7'], DELAYS.save],
  [8, ['GET /sign-out'], DELAYS.signOut],
] as const;

let app: JourneyApp;
beforeAll(async () => {
  app = await startJourneyApp();
});
afterAll(() => app.close());

describe.each(ENGINES)('%s', (engine) => {
  test.each(FLAVOURS)('each of the eight steps takes as long as the server says: %s', async (flavour) => {
    app.seen.length = 0;
    const lateness = watchLateness();
    const run = await replay(JSON.parse(recordingText(`newer-${flavour}`, app)), engine);
    expect(run).toMatchObject({ up: true, broke: null });
    expect(run.steps.map(({ ms }) => ms !== null)).toEqual([true, false, false, true, true, true, true, true]);
    const seen = app.seen
      .filter(({ line }) => !line.includes('favicon'))
      .map(({ line, ...span }) => ({ line: line.replace(new RegExp(`/${flavour}$`), '/*'), ...span }))
      .sort((a, b) => a.from - b.from);
    const all = CAUSED.flatMap(([, lines]): readonly string[] => lines);
    expect(seen.map(({ line }) => line)).toEqual(
      all.filter((line) => flavour === 'preact' || !line.includes('preact')),
    );
    const excess: number[] = [];
    for (const [step, lines, atLeast] of CAUSED) {
      const spans = seen.filter(({ line }) => (lines as readonly string[]).includes(line));
      const truth = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
      const { ms = null } = run.steps[step - 1] ?? {};
      expect(ms, `step ${step}`).toBeGreaterThanOrEqual(atLeast);
      excess.push((ms ?? 0) - truth);
    }
    const [median = 0] = [...excess].sort((a, b) => a - b).slice(excess.length >> 1);
    expect(median, `${excess}`).toBeLessThan(BROWSER_MS + lateness.allowance());
    expect(Math.max(...excess), `${excess}`).toBeLessThan(LATE_MS + 4 * lateness.allowance());
    expect(run.steps.map(({ requests }) => requests)).toEqual([1, 0, 0, flavour === 'preact' ? 3 : 2, 1, 1, 1, 1]);
    expect(run.steps[0]?.connections).toBe(1);
    expect(run.steps[0]?.bytes).toBeGreaterThan(300);
  });

  test.each([
    ...['history', 'preact', 'hash', 'keyboard'].map((name) => `recorder-${name}`),
    ...['older-keyboard', 'newer-waiting'],
  ])('the recording %s runs unchanged', async (name) => {
    const run = await replay(JSON.parse(recordingText(name, app)), engine);
    expect(run).toMatchObject({ up: true, broke: null });
  });

  test('a recording of frames, shadow roots and all kinds of fields does what was recorded', async () => {
    app.seen.length = 0;
    const run = await replay(JSON.parse(recordingText('recorder-parts', app)), engine);
    expect(run).toMatchObject({ up: true, broke: null });
    const said = app.seen.flatMap(({ line }) => /said\/(.*)$/.exec(line)?.[1] ?? []);
    expect(said).toEqual(['framed', 'deep', 'checktrue', 'noteTwo%20words', 'sizeM', 'twice']);
  });
});
