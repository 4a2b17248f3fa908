import { expect, test } from 'vitest';
import { hideValuesIn, redactText, toLine } from '../../../shared/journeys/run-outcome.ts';

const VALUES = { user: 'jane.doe', password: 'Hunter2 Zebra+', pin: 'code29387-x' };

test.each([
  ['as it is', 'Hello Hunter2 Zebra+!', 'Hello {{password}}!'],
  ['in capitals', 'HELLO HUNTER2 ZEBRA+', 'HELLO {{password}}'],
  ['with other spaces', 'Hello Hunter2 \n  Zebra+', 'Hello {{password}}'],
  ['in an address', 'https://app.test/u/Hunter2%20Zebra%2B', 'https://app.test/u/{{password}}'],
  ['in an address whose digits are gone', '/u/code{n}-x', '/u/{{pin}}'],
  ['another one', 'signed in: jane.doe', 'signed in: {{user}}'],
])('a value is in no text of an outcome: %s', (_, text, shown) => {
  expect(
    hideValuesIn({ broke: { detail: text, page: { nearest: [{ role: text, name: 'x' }] } }, n: 1 }, VALUES),
  ).toEqual({
    broke: { detail: shown, page: { nearest: [{ role: shown, name: 'x' }] } },
    n: 1,
  });
});

test('what could begin another line or colour a terminal is a space', () => {
  expect(toLine('a\u001b[31m\nUp: 1 steps')).toBe('a [31m Up: 1 steps');
  expect(toLine('\ud800')).toBe('\ufffd');
});

test('a page cannot keep a run busy with a long text', () => {
  // Compared with each other, its characters took minutes.
  const long = '1'.repeat(200_000);
  expect(redactText(`${long} ${'a'.repeat(200_000)}`)).toBe('{n}');
});

test('a value that begins where a text is cut is not shown in part', () => {
  expect(redactText(`${'word '.repeat(15)}Hunter2 Zebra+`, VALUES)).not.toContain('Hunter');
});
