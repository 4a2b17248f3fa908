import { expect, test } from 'vitest';
import { InternTable } from '../../../collector/ingest/decode/intern-table.ts';

const bytesOf = (text: string) => Buffer.from(text);

function remember(known: InternTable<string>, text: string, hash: number): void {
  known.add(bytesOf(text), 0, text.length, hash, text);
}

function find(known: InternTable<string>, text: string, hash: number): string | null {
  const number = known.find(bytesOf(text), 0, text.length, hash);
  return number < 0 ? null : known.value(number);
}

test('a text is found by its bytes, wherever they stand', () => {
  const known = new InternTable<string>(8, 15);
  remember(known, 'erp.test', 7);
  expect(known.value(known.find(bytesOf('"erp.test"'), 1, 9, 7))).toBe('erp.test');
  expect(find(known, 'erp.test', 8)).toBeNull();
});

test('texts made to collide are told apart, and the oldest forgotten for the newest', () => {
  const known = new InternTable<string>(8, 15);
  const texts = ['a', 'b', 'c', 'd'];
  for (const text of texts) remember(known, text, 5);
  expect(texts.map((text) => find(known, text, 5))).toEqual(texts);
  expect(find(known, 'e', 5)).toBeNull();
  remember(known, 'e', 5);
  expect(find(known, 'e', 5)).toBe('e');
  expect(texts.filter((text) => find(known, text, 5) === null)).toHaveLength(1);
});

test('a prefix, a longer text and a text without letters are others', () => {
  const known = new InternTable<string>(8, 15);
  remember(known, 'page', 3);
  expect(find(known, 'pag', 3)).toBeNull();
  expect(find(known, 'pages', 3)).toBeNull();
  expect(find(known, '', 3)).toBeNull();
  expect(find(known, '', 0)).toBeNull();
});

test('what is longer than there is room for is not remembered, and harms nobody beside it', () => {
  const known = new InternTable<string>(2, 3);
  remember(known, 'abc', 0x10);
  remember(known, 'abcd', 0x11);
  expect(find(known, 'abcd', 0x11)).toBeNull();
  expect(find(known, 'abc', 0x10)).toBe('abc');
});

test('once there is no room left, the old go and the new are found', () => {
  const known = new InternTable<string>(2, 40);
  const texts = ['first', 'second', 'third', 'a text that is longer than most of them', 'last'];
  texts.forEach((text, place) => {
    remember(known, text, place);
    expect(find(known, text, place)).toBe(text);
  });
  expect(find(known, 'first', 0)).toBeNull();
});

test('a meaning has one number, however it is written and whatever was forgotten of it, until all is forgotten', () => {
  const known = new InternTable<string>(8, 15);
  const write = (text: string, meaning: string) => known.add(bytesOf(text), 0, text.length, 5, meaning);
  const { edition } = known;
  const first = write('{"a":1,"b":2}', 'a b');
  expect(write('{"b":2,"a":1}', 'a b')).toBe(first);
  const others = ['c', 'd', 'e'].map((text) => write(text, text));
  expect(new Set([first, ...others]).size).toBe(4);
  expect(find(known, '{"a":1,"b":2}', 5)).toBeNull();
  expect(write('{"a":1,"b":2}', 'a b')).toBe(first);
  expect(known.edition).toBe(edition);
  for (let n = 0; n < 8; n++) write(`f${n}`, `f${n}`);
  expect(known.edition).not.toBe(edition);
  expect(new InternTable<string>(8, 15).edition).not.toBe(known.edition);
});

test('what is too long has no number', () => {
  expect(new InternTable<string>(2, 3).add(bytesOf('abcd'), 0, 4, 1, 'abcd')).toBe(-1);
});
