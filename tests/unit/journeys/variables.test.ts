import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Step } from '../../../shared/journeys/recording.ts';
import { redactAddress, redactText } from '../../../shared/journeys/run-outcome.ts';
import { fillVariables, missingVariables, namesOfVariables } from '../../../shared/journeys/variables.ts';

const change = (value: string): Step => ({ type: 'change', selectors: ['#a'], value });
const steps = [change('{{user}}'), change('{{ password }} and {{user}}'), change('{{not a name}} {single}')];

it('finds the variables in what is typed, once each', () => {
  expect(namesOfVariables({ steps })).toEqual(['user', 'password']);
  expect(missingVariables({ steps }, { user: 'jane' })).toEqual(['password']);
  expect(missingVariables({ steps: [change('{{constructor}}')] }, {})).toEqual(['constructor']);
});

it('takes values literally', () => {
  expect(fillVariables('{{ a }}-{{b}}', { a: '{{b}}', b: '$&$1' })).toBe('{{b}}-$&$1');
  expect(() => fillVariables('{{a}}', {})).toThrow('The variable a has no value.');
  fc.assert(fc.property(fc.string(), (value) => fillVariables('<{{x}}>', { x: value }) === `<${value}>`));
});

it('leaves no value of a variable in text of a page', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3 }), fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(!'{{pw}}{email}{n}{token}…'.includes(secret) && secret.trim().length > 2);
      expect(redactText(`${before} ${secret} ${after}`, { pw: secret }).split('{{pw}}').join('')).not.toContain(secret);
    }),
  );
});

it('hides a value that looks like a placeholder', () => {
  expect(redactText('Hello {0} there', { pw: '{0}' })).toBe('Hello {{pw}} there');
});

it.each([
  ['Order 4711 of jane@example.com', 'Order {n} of {email}'],
  ['Step 2 of 3\n\t(today)', 'Step 2 of 3 (today)'],
  ['Call +49 89 1234-567', 'Call +{n}'],
  ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', '{token}'],
])('redacts %s', (text, redacted) => {
  expect(redactText(text)).toBe(redacted);
});

it('redacts an address to its origin and template', () => {
  expect(redactAddress('https://erp.example.com/orders/4711?token=x#y')).toBe('https://erp.example.com/orders/{n}');
  expect(redactAddress('about:blank')).toBe('');
});
