import { expect, test } from 'vitest';
import { refuseLargeAnswer } from '../../../collector/questions/question.ts';

test('ten thousand groups are answered, or a hundred thousand steps of them; more are refused with a hint', () => {
  expect(() => refuseLargeAnswer(10_000)).not.toThrow();
  expect(() => refuseLargeAnswer(50, 2000)).not.toThrow();
  const refused = (hint: RegExp) =>
    expect.objectContaining({ code: 'too_many_groups', hint: expect.stringMatching(hint) });
  expect(() => refuseLargeAnswer(10_001)).toThrow(refused(/group by fewer dimensions, or filter/));
  expect(() => refuseLargeAnswer(51, 2000)).toThrow(refused(/100000 steps together/));
});
