import { expect, test } from 'vitest';
import { joinJson, readJson, writeJson } from '../../../collector/lib/json-bytes.ts';
import { writeAnswer } from '../../../collector/questions/question.ts';

const METHOD = { exact: true, bound: 0, dataHash: 'abc', folded: null };

test.each([
  ['both have members', { a: 1, b: 'ü€😀' }, { c: [null, '"},{'], d: {} }],
  ['only the first has', { a: 1 }, {}],
  ['only the second has', {}, { b: { c: '\u2028' } }],
  ['neither has', {}, {}],
])('two written objects are joined as a spread would: %s', (_, a, b) => {
  const joined = joinJson<object, object>(writeJson(a), writeJson(b));
  expect(Buffer.from(joined).toString()).toBe(JSON.stringify({ ...a, ...b }));
  expect(readJson(joined)).toEqual({ ...a, ...b });
});

test('a written answer has its method as values, and the members of its document as bytes in their order', () => {
  const { method, rest } = writeAnswer({ cells: [{ host: 'a' }], ...METHOD, leftOut: 3 });
  expect(method).toEqual(METHOD);
  expect(Buffer.from(rest).toString()).toBe('{"cells":[{"host":"a"}],"leftOut":3}');
  // All of its buffer: what is transferred is no longer there for anybody else.
  expect(rest.buffer.byteLength).toBe(rest.byteLength);
});
