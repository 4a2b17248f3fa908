import { expect, it } from 'vitest';
import { idleBefore, NO_ANSWERS_YET, noteAnswer } from '../../../shared/sample/idle-tracker.ts';

it('tells the time since the last answer of an origin', () => {
  const state = noteAnswer(NO_ANSWERS_YET, 'https://a.test', 1_000);
  expect(idleBefore(state, 'https://a.test', 6_000.4)).toBe(5_000);
  expect(idleBefore(state, 'https://a.test', 900)).toBe(0);
  expect(idleBefore(state, 'https://b.test', 6_000)).toBeNull();
  expect(idleBefore(state, 'constructor', 6_000)).toBeNull();
});

it('keeps the latest answer, whatever order they are told in', () => {
  const state = noteAnswer(noteAnswer(NO_ANSWERS_YET, 'a', 2_000), 'a', 1_000);
  expect(idleBefore(state, 'a', 3_000)).toBe(1_000);
});

it('forgets the origin that was told of longest ago', () => {
  let state = noteAnswer(noteAnswer(NO_ANSWERS_YET, 'a', 1, 2), 'b', 2, 2);
  state = noteAnswer(noteAnswer(state, 'a', 3, 2), 'c', 4, 2);
  expect(Object.keys(state)).toEqual(['a', 'c']);
});
