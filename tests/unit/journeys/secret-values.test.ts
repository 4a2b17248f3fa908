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
  ['aria/Password', 'hunter2'],
  ['aria/Kennwort[role="textbox"]', 'hunter2'],
  ['#user_pwd', 'hunter2'],
  ['[data-testid="otp"]', '123456'],
  ['input[autocomplete="one-time-code"]', 'abc'],
  ['text/Number', '4111 1111 1111 1111'],
  ['#otpCode', '123456'],
  ['#user_pin', '4711'],
  ['#password', 'hunter2{{x}}'],
])('into %s a secret is typed: %s', (selector, value) => {
  expect(stepsWithSecrets({ steps: [change(selector, value)] })).toEqual([1]);
});

test.each([
  ['another field', change('aria/Spin count', '5')],
  ['a variable', change('aria/Password', '{{erp}}')],
  ['a variable beside itself', change('aria/Password', '{{erp}}', { lastbyte: { variable: 'erp' } })],
  ['an emptied field', change('aria/Password', '')],
  ['a click', { type: 'click', selectors: ['aria/Forgot password?'] } as Step],
])('%s has none', (_, step) => {
  expect(stepsWithSecrets({ steps: [step] })).toEqual([]);
});

test('a value beside a variable is still there, whatever it is', () => {
  const step = change('#a', 'hunter2', { lastbyte: { variable: 'erp' } });
  expect(stepsWithSecrets({ steps: [step] })).toEqual([1]);
  expect(withoutSecrets({ steps: [step] }).steps).toMatchObject([{ value: '{{erp}}' }]);
});

test('secrets become variables, the same one for the same secret', () => {
  const steps = [
    change('#password', 'a'),
    change('#user', 'robot'),
    change('#pin', '4711'),
    change('#password-again', 'a'),
  ];
  const hidden = withoutSecrets({ title: 'Order', steps });
  expect(hidden.title).toBe('Order');
  expect(hidden.steps.map((step) => (step as Step<'change'>).value)).toEqual([
    '{{password}}',
    'robot',
    '{{password2}}',
    '{{password}}',
  ]);
});
