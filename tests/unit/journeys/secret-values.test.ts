import { expect, test } from 'vitest';
import type { Step } from '../../../shared/journeys/recording.ts';
import { stepsWithSecrets, withoutSecrets } from '../../../shared/journeys/secret-values.ts';

const change = (selector: string, value: string, more = {}): Step => ({
  type: 'change',
  selectors: [[selector], ['xpath///form/input[2]']],
  value,
  ...more,
});

test.each([
  'aria/Password',
  'aria/Kennwort[role="textbox"]',
  '#user_pwd',
  '[data-testid="otp"]',
  'input[autocomplete="one-time-code"]',
  'text/Card number',
])('a value typed into %s is a secret', (selector) => {
  expect(stepsWithSecrets({ steps: [change(selector, 'hunter2')] })).toEqual([1]);
});

test.each([
  ['another field', change('aria/Spin count', '5')],
  ['a variable', change('aria/Password', '{{erp}}')],
  ['a variable beside the value', change('aria/Password', 'hunter2', { lastbyte: { variable: 'erp' } })],
  ['an emptied field', change('aria/Password', '')],
  ['a click', { type: 'click', selectors: ['aria/Forgot password?'] } as Step],
])('%s has none', (_, step) => {
  expect(stepsWithSecrets({ steps: [step] })).toEqual([]);
});

test('secrets become variables, the same one for the same secret', () => {
  const steps = [change('#password', 'a'), change('#user', 'robot'), change('#pin', 'b'), change('#password2', 'a')];
  const hidden = withoutSecrets({ title: 'Order', steps });
  expect(hidden.title).toBe('Order');
  expect(hidden.steps.map((step) => (step as Step<'change'>).value)).toEqual([
    '{{password}}',
    'robot',
    '{{password2}}',
    '{{password}}',
  ]);
});
