import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../browser/fixture/engines.ts';
import { FLAVOURS, type JourneyApp, PASSWORD, startJourneyApp, USER } from '../browser/fixture/journey-app.ts';
import { recordingText } from '../browser/fixture/journey-runs.ts';
import { type Robot, startRobot } from '../browser/fixture/robot.ts';

let app: JourneyApp;
beforeAll(async () => {
  app = await startJourneyApp();
});
afterAll(() => app.close());

/** The values stand in the recording, since this browser has no policy that could have them. */
const filled = (name: string) =>
  JSON.parse(recordingText(name, app).replaceAll('{{user}}', USER).replaceAll('{{password}}', PASSWORD));

describe.each(ENGINES)('%s', (engine) => {
  let robot: Robot;
  beforeAll(async () => {
    robot = await startRobot(engine, app.origin);
  });
  afterAll(() => robot?.close());

  test.each(FLAVOURS)('a robot replays a path of eight steps with a sign-in: %s', async (flavour) => {
    const run = await robot.replay(filled(`newer-${flavour}`));
    expect(run).toMatchObject({ target: 'erp', skipped: null, steps: Array(8).fill(null) });
    console.log(engine, flavour, JSON.stringify(run));
  });
});
