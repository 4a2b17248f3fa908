import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonSyntax, type SyntaxFault } from '../../../collector/exchange/import/json-syntax.ts';

function check(text: string | Buffer, size = 5): SyntaxFault | null {
  const bytes = Buffer.from(text);
  const syntax = new JsonSyntax();
  for (let at = 0; at < bytes.length; at += size) syntax.push(bytes.subarray(at, at + size));
  return syntax.end();
}

test.each([
  ['<!doctype html>', 0, 1, 1, /^< where a value is expected/],
  ['', 0, 1, 1, /^the file ends where a value/],
  ['{"log": {"entries": [}]}', 21, 1, 22, /^} where a value or ]/],
  ['{\n  "log": {\n    entries: []\n', 17, 3, 5, /^e where a name in quotes or }/],
  ['{"a": 1 "b": 2}', 8, 1, 9, /^" where , or the end/],
  ['{"a": 1,}', 8, 1, 9, /^} where a name in quotes/],
  ['[1, NaN]', 4, 1, 5, /^NaN is not a value/],
  ['[01]', 1, 1, 2, /^01 is not a value/],
  ['["a\nb"]', 3, 1, 4, /a line break/],
  ['["\\x"]', 3, 1, 4, /^\\x is not an escape/],
  ['["\\u00g0"]', 6, 1, 7, /^\\u is not followed/],
  ['{"a": [1, 2', 11, 1, 12, /^the file ends where , or the end/],
  ['{"a": "unfinished', 17, 1, 18, /^the file ends inside a string/],
  ['{} {}', 3, 1, 4, /^{ where the end of the file/],
  ['tru', 0, 1, 1, /^tru is not a value/],
])('%j is broken at byte %d', (text, offset, line, column, message) => {
  expect(check(text)).toEqual({ offset, line, column, message: expect.stringMatching(message) });
});

test('a byte order mark is allowed, as HAR 1.2 asks', () => {
  expect(check('\ufeff{"log": {}}')).toBeNull();
});

test('it takes what JSON.parse takes, and nothing else', () => {
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', '1', ':', ' ', 'e', '-', '.'))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), spoilt, fc.string()), fc.integer({ min: 1, max: 9 }), (text, size) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      // Half a character cannot be written as bytes.
      fc.pre(text.isWellFormed());
      expect(check(text, size) === null, text).toBe(valid);
    }),
    { numRuns: 2000 },
  );
});
