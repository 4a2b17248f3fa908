import { expect, test } from 'vitest';
import { type RobotRun, stepAt } from '../../../extension/journey/robot-run.ts';

const RUN: RobotRun = { id: 'order', at: 1000, steps: [1000, null, 2000.5], endedAt: 9500 };

test.each([
  ['before the first event', 900, null],
  ['right at an event, by a clock that is late', 998.5, 1],
  ['after a step without an event', 1999, 3],
  ['long after the last event', 9000, 3],
  ['after the run', 9501, null],
  ['shortly before the last event', 1998, 1],
])('a request %s belongs to the step that had begun', (_, time, step) => {
  expect(stepAt(RUN, time)).toBe(step);
});
