import { expect, test } from 'vitest';
import { declared } from '../../../extension/background/declared.ts';
import { memoryStorage } from './fakes.ts';

test.each([
  ['nothing', {}, {}, null],
  ['a policy', { recorder: true }, {}, 'policy'],
  ['a click', {}, { recorder: true }, 'user'],
  ['a click taken back', {}, { recorder: false }, null],
  ['a click for something else', {}, { robot: true }, null],
  ['both', { recorder: true }, { recorder: true }, 'policy'],
  ['a click that the policy forbids', { recorder: false }, { recorder: true }, null],
  ['a policy that is no boolean', { recorder: 'yes' }, {}, null],
])('a browser with %s', async (_, policy, clicked, by) => {
  const local = memoryStorage({ declared: clicked });
  expect(await declared('recorder', memoryStorage(policy), local)).toBe(by);
});
