import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROKEN_ANSWERS, BROKEN_PAGES, page, recordingOf, save, servePages } from '../browser/fixture/broken-pages.ts';
import { ENGINES } from '../browser/fixture/engines.ts';
import { type JourneyApp, startJourneyApp } from '../browser/fixture/journey-app.ts';
import { type Robot, startRobot } from '../browser/fixture/robot.ts';

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

  test.each(BROKEN_PAGES)(
    'a robot names it when what is clicked is or leads to %s',
    async (what, reason, body, step, detail = /(?:)/) => {
      servePages(app, { '/shop': page(body), '/broken': page('Sorry', 503), '/elsewhere': page('Elsewhere') });
      const { steps, broke } = await robot.replay(recordingOf(app, step));
      // A button that does nothing may do something for a real user.
      const named = what === 'no page' ? 'untrusted_events' : reason;
      expect({ steps, broke }).toMatchObject({ steps: [null, named], broke: { step: 2, reason: named } });
      if (named === reason) expect(broke?.detail ?? '').toMatch(detail);
    },
  );

  test.each(BROKEN_ANSWERS)(
    'a robot names it when the page is answered with %s',
    async (what, reason, answer, detail) => {
      servePages(app, { '/shop': answer });
      const { broke } = await robot.replay(recordingOf(app, save));
      // Firefox asks in a dialog of its own and tells the extension nothing of it.
      const isAsked = engine === 'firefox' && what === 'a question for a password';
      const named = isAsked ? { reason: 'not_settled' } : { reason, detail: expect.stringMatching(detail) };
      expect(broke).toMatchObject({ step: 1, ...named });
    },
  );

  test('a robot names a page that insists on events of a real user', async () => {
    const insists = `<button id="save" onclick="event.isTrusted && (location = '/elsewhere')">Save</button>`;
    servePages(app, { '/shop': page(insists), '/elsewhere': page('<button id="next">Next</button>') });
    const { broke } = await robot.replay(recordingOf(app, save, { type: 'click', selectors: ['#next'] }));
    expect(broke).toMatchObject({ step: 3, reason: 'untrusted_events', detail: 'step 2: click Save' });
  });
});
