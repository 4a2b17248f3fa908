import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HarCutter, type HarPiece } from '../../../collector/exchange/import/har-cutter.ts';

/** Cut as if it came in pieces of `size` bytes. */
function cut(text: string, size = 7): { pieces: HarPiece[]; cutter: HarCutter } {
  const bytes = Buffer.from(text);
  const cutter = new HarCutter();
  const pieces: HarPiece[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(...cutter.push(bytes.subarray(at, at + size)));
  return { pieces, cutter };
}

const entriesOf = (pieces: readonly HarPiece[]) =>
  pieces.flatMap(({ name, text }) => (name === 'entry' && text !== null ? [JSON.parse(text)] : []));

test('finds entries, pages, creator and browser, however the bytes come', () => {
  const entries = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 });
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 40 }), fc.boolean(), (list, size, pretty) => {
      const log = {
        other: { entries: [{ no: 1 }], deep: [[{ log: { entries: [1] } }]] },
        creator: { name: 'a"\\{', version: '1' },
        pages: [{ id: 'p', title: 'https://x/' }],
        entries: list,
        browser: { name: 'Firefox' },
      };
      const { pieces, cutter } = cut(JSON.stringify({ before: { entries: [] }, log }, null, pretty ? 2 : 0), size);
      // What JSON.parse makes of −0 and __proto__ is not the cutter's business.
      expect(entriesOf(pieces)).toEqual(JSON.parse(JSON.stringify(list)));
      expect(pieces.map(({ name }) => name)).toEqual(['creator', 'page', ...list.map(() => 'entry'), 'browser']);
      expect(cutter.complete && cutter.foundEntries).toBe(true);
    }),
  );
});

test('long texts are shortened where a character ends, and stay JSON', () => {
  const bodies = ['x'.repeat(200_000), 'ä€😀'.repeat(40_000), '\\"\u0001'.repeat(50_000), `${'y'.repeat(65_533)}😀z`];
  for (const body of bodies) {
    const text = JSON.stringify({ log: { entries: [{ a: 1, body, b: 2 }] } });
    for (const size of [64 * 1024 + 1, 999]) {
      const [entry] = entriesOf(cut(text, size).pieces);
      expect(entry).toMatchObject({ a: 1, b: 2 });
      expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(Buffer.byteLength(text));
      expect(body.startsWith(entry.body.slice(0, -1))).toBe(true);
    }
  }
});

test('what is too large or too deep is left out, and the next entry is read', () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  const large = JSON.stringify(Array.from({ length: 100_000 }, () => 'x'.repeat(60)));
  const { pieces } = cut(`{"log":{"entries":[{"a":${deep}},{"a":${large}},{"ok":1}]}}`, 4096);
  expect(pieces.map(({ fault }) => fault)).toEqual(['too_deep', 'too_large', null]);
  expect(entriesOf(pieces)).toEqual([{ ok: 1 }]);
});

test('a file that ends in the middle gives what was whole', () => {
  const { pieces, cutter } = cut('{"log":{"entries":[{"a":1},{"b":');
  expect(entriesOf(pieces)).toEqual([{ a: 1 }]);
  expect([cutter.complete, cutter.insideEntry]).toEqual([false, true]);
});

test('any bytes at all are survived', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const cutter = new HarCutter();
      cutter.push(Buffer.from('{"log":{"entries":[{'));
      cutter.push(Buffer.from(bytes));
    }),
  );
});
