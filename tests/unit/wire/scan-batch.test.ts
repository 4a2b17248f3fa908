import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ColumnBuffers,
  createReusedBuffers,
  NEW_BUFFERS,
} from '../../../collector/ingest/decode/column-buffers.ts';
import { type DecodedBatch, decodeBatch, decodeBatchBytes } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { MAX_DICTIONARY_ENTRIES, MAX_ROWS, MAX_SIZE } from '../../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { batchSamples } from './batch-samples.ts';

const NO_FRACTIONS = { ...PLAIN_SAMPLE, metrics: {} };

function scan(text: string, room: ColumnBuffers = NEW_BUFFERS): DecodedBatch | null {
  const bytes = Buffer.from(text);
  return decodeBatchBytes(bytes, NOW, room);
}

/** In rows, which are easier to compare. */
function rows(decoded: DecodedBatch): unknown {
  return decoded.ok ? { ...decoded, columns: batchSamples(decoded.columns) } : decoded;
}

const textOf = (samples: readonly Sample[], site = ORIGIN.site) =>
  JSON.stringify(encodeBatch({ ...ORIGIN, site }, BATCH_ID, NOW, samples));

test('what extensions send is read from its bytes, and says the same as parsed', () => {
  fc.assert(
    fc.property(fc.array(arbitrarySample, { maxLength: 20 }), fc.constantFrom('', 'Köln', 'ulm'), (samples, site) => {
      const text = textOf(samples, site);
      const scanned = scan(text);
      expect(scanned).not.toBeNull();
      expect(scanned && rows(scanned)).toEqual(rows(decodeBatch(JSON.parse(text), NOW)));
    }),
    { numRuns: 200, seed: 11 },
  );
});

test('batches that share their memory keep apart until it starts over, also where it is too small for them', () => {
  // Room for some batches of these and not for all: about ten columns have a value each row.
  const room = createReusedBuffers(200);
  fc.assert(
    fc.property(fc.array(fc.array(arbitrarySample, { minLength: 1, maxLength: 5 }), { maxLength: 6 }), (group) => {
      room.reset();
      const texts = group.map((samples) => textOf(samples));
      const together = texts.map((text) => scan(text, room));
      expect(together.map((read) => read && rows(read))).toEqual(
        texts.map((text) => rows(decodeBatch(JSON.parse(text), NOW))),
      );
    }),
    { numRuns: 100, seed: 12 },
  );
});

test('memory that starts over is the same memory', () => {
  const room = createReusedBuffers(8);
  const [numbers, codes] = [room.numbers(6), room.codes(8)];
  expect([room.numbers(3).buffer, room.codes(1).buffer]).not.toContain(numbers.buffer);
  room.reset();
  expect(room.numbers(8).buffer).toBe(numbers.buffer);
  expect(room.codes(8).buffer).toBe(codes.buffer);
  expect(room.numbers(1).buffer).not.toBe(numbers.buffer);
});

test('whatever is done to the bytes, they are left to JSON.parse or say what it says', () => {
  const pieces = [
    '"',
    '\\',
    ',',
    ':',
    '[',
    ']',
    '{',
    '}',
    '0',
    '-',
    '1',
    '.',
    'e9',
    'null',
    'nul',
    ' ',
    '\u0001',
    'é',
    '',
  ];
  const edit = fc.record({ at: fc.nat(4000), cut: fc.nat(3), put: fc.constantFrom(...pieces) });
  let scannedToo = 0;
  fc.assert(
    fc.property(
      fc.array(arbitrarySample, { minLength: 1, maxLength: 4 }),
      fc.array(edit, { minLength: 1, maxLength: 2 }),
      (samples, edits) => {
        let text = textOf(samples);
        for (const { at, cut, put } of edits) {
          const place = at % text.length;
          text = text.slice(0, place) + put + text.slice(place + cut);
        }
        const scanned = scan(text);
        if (scanned === null) return;
        scannedToo++;
        expect(rows(scanned)).toEqual(rows(decodeBatch(JSON.parse(text), NOW)));
      },
    ),
    { numRuns: rounds(1000, 3000), seed: 12 },
  );
  // Numbers and words changed into others must have been among them, or nothing was compared.
  expect(scannedToo).toBeGreaterThan(100);
});

const text = textOf([NO_FRACTIONS, NO_FRACTIONS]);
const changed = (from: string, to: string) => {
  expect(text).toContain(from);
  return text.replace(from, to);
};

test.each([
  ['spaces', JSON.stringify(JSON.parse(text), null, 1)],
  ['an escaped name of a column', changed('"columns"', '"\\u0063olumns"')],
  ['columns twice', changed('"columns":{', '"columns":{},"columns":{')],
  ['a column twice', changed('"status":[200,200]', '"status":[200,200],"status":[404,404]')],
  ['n behind the columns', `${changed('"n":2,', '').slice(0, -1)},"n":2}`],
  ['n that is more than there is', changed('"n":2', '"n":3')],
  ['more rows than a batch may have', changed('"n":2', `"n":${MAX_ROWS + 1}`)],
  ['a long dictionary', changed('["erp"]', JSON.stringify(new Array(MAX_DICTIONARY_ENTRIES + 1).fill('erp')))],
  ['a fraction', changed('[200,200]', '[200.5,200]')],
  ['an exponent', changed('[200,200]', '[2e2,200]')],
  ['a leading zero', changed('[200,200]', '[0200,200]')],
  ['a negative number', changed('[200,200]', '[-200,200]')],
  ['a number past 2^53', changed('[200,200]', '[9007199254740993,200]')],
  ['a place past 32 bits', changed('"host":[0,0]', '"host":[4294967296,0]')],
  ['text for a number', changed('[200,200]', '["200",200]')],
  ['half a null', changed('[200,200]', '[nul,200]')],
  ['a host that may not be stored', changed('erp.example.com', 'erp.example.com:80')],
  ['something behind the end', `${text} `],
  ['no end', text.slice(0, -1)],
  ['nothing', ''],
  ['a list', '[]'],
])('%s: left to JSON.parse', (_what, given) => {
  expect(scan(given)).toBeNull();
});

test.each([
  ['an unknown column', changed('"status":', '"mood":')],
  [
    'an unknown column of any shape',
    changed('"status":', '"mood":{"a":[[],{},"\\ud800",-1.5e-3,true,null]},"status":'),
  ],
  ['an unknown member', changed('"n":', '"mood":[[1]],"n":')],
  ['an unknown member at the end', `${text.slice(0, -1)},"mood":"x"}`],
  ['__proto__', changed('"n":', '"__proto__":{"version":2},"n":')],
  ['an unknown dictionary', changed('"target":["erp"]', '"target":["erp"],"mood":[{"a":1}]')],
  ['an unknown time', changed('"times":{', '"times":{"thinking":[1,2],')],
  ['an escape in a dictionary', changed('/orders', '\\/orders\\u00e9\\"')],
  ['an escape in the outline', changed('"site":"', '"site":"\\"')],
])('%s: read from its bytes, as JSON.parse reads it', (_what, given) => {
  const scanned = scan(given);
  expect(scanned).not.toBeNull();
  expect(scanned && rows(scanned)).toEqual(rows(decodeBatch(JSON.parse(given), NOW)));
});

test('whatever an unknown member is, it is skipped or left to JSON.parse, and never where JSON.parse refuses it', () => {
  const spoil = fc.record({
    at: fc.nat(400),
    cut: fc.nat(2),
    put: fc.constantFrom('', '"', '\\', '[', '}', ',', '-', '0', '.', 'e', 'n', '\u0001'),
  });
  const numRuns = rounds(1000, 3000);
  const seen = { skipped: 0, invalid: 0 };
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.option(spoil),
      fc.constantFrom('"n":', '"status":', '"times":{', '"target":['),
      (value, edit, before) => {
        let written = JSON.stringify(JSON.parse(value));
        if (edit !== null) {
          const place = edit.at % written.length;
          written = written.slice(0, place) + edit.put + written.slice(place + edit.cut);
        }
        const into = before === '"times":{' ? `${before}"mood":${written},` : `"mood":${written},${before}`;
        const given = text.replace(before, () => into);
        const scanned = scan(given);
        let parsed: unknown;
        try {
          parsed = JSON.parse(given);
        } catch {
          seen.invalid++;
          expect(scanned).toBeNull();
          return;
        }
        if (scanned === null) return;
        seen.skipped++;
        expect(rows(scanned)).toEqual(rows(decodeBatch(parsed, NOW)));
      },
    ),
    { numRuns, seed: 14 },
  );
  expect(seen.skipped).toBeGreaterThan(numRuns / 6);
  expect(seen.invalid).toBeGreaterThan(numRuns / 6);
});

test.each([
  [
    'an unknown member that is deeper than 30 levels',
    changed('"n":', `"mood":${'['.repeat(32)}${']'.repeat(32)},"n":`),
  ],
  ['more than a megabyte of it', changed('"n":', `"mood":"${'x'.repeat(2 ** 20)}","n":`)],
  ['more than 256 of them', changed('"n":', `${'"mood":1,'.repeat(257)}"n":`)],
  ['a status of more than 128 KiB', changed('"n":', `"status":"${'x'.repeat(2 ** 17)}","n":`)],
  [
    'reasons that hold a whole document',
    changed('"target":["erp"]', `"target":["erp"],"unknown":[{"a":${'['.repeat(3000)}${']'.repeat(3000)}}]`),
  ],
  ['metrics far longer than their numbers', changed('"times":', `"metrics":{"db":[${' '.repeat(300)}1,2]},"times":`)],
])('%s: left to JSON.parse, whose limits are its own', (_what, given) => {
  expect(scan(given)).toBeNull();
});

test('numbers of any length come out as they were written', () => {
  const sizes = [0, 9, 10, 999_999_999, 1_000_000_000, 2 ** 31, 2 ** 32 + 1, 9_999_999_999, MAX_SIZE];
  const scanned = scan(textOf(sizes.map((transferSize) => ({ ...NO_FRACTIONS, transferSize }))));
  expect(scanned?.ok && batchSamples(scanned.columns).map(({ transferSize }) => transferSize)).toEqual(sizes);
});

test('a row out of range is judged the same however it was read', () => {
  const spoilt = changed('[200,200]', '[99,200]').replace('"host":[0,0]', '"host":[0,7]');
  const scanned = scan(spoilt);
  expect(scanned).toMatchObject({
    ok: true,
    rejected: [
      { row: 0, code: 'bad_status' },
      { row: 1, code: 'bad_host' },
    ],
  });
  expect(scanned && rows(scanned)).toEqual(rows(decodeBatch(JSON.parse(spoilt), NOW)));
});

test('rows that were read stay as they are while later batches are read', () => {
  const first = scan(text);
  const before = first && JSON.stringify(rows(first));
  for (let i = 0; i < 3000; i++) scan(textOf([{ ...NO_FRACTIONS, status: 404, host: `h${i}.test` }]));
  expect(first && JSON.stringify(rows(first))).toBe(before);
});

test.each([
  ['half of a surrogate pair in a template', '/orders', '/\\ud800'],
  ['a whole one', '/orders', '/\\ud83d\\ude00'],
  ['half of one in the site', ORIGIN.site, '\\udc00'],
  ['half of one in an error', '"error":["x"]', '"error":["\\ud800"]'],
])('%s: read by both as one', (_what, from, to) => {
  const given = textOf([{ ...NO_FRACTIONS, error: 'x' }, NO_FRACTIONS]).replace(from, to);
  expect(given).toContain(to);
  expect(rows(read(Buffer.from(given)))).toEqual(rows(decodeBatch(JSON.parse(given), NOW)));
});

test('bytes that are no UTF-8 mean the same to both readers, and nothing that is stored is ill-formed', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 4 });
  const escapes = fc.constantFrom('\\ud800', '\\udc00', '\\ud83d\\ude00', '\ufffd', '\u{1f600}');
  const piece = fc.oneof(
    bytes.map((raw) => Buffer.from(raw)),
    escapes.map((text) => Buffer.from(text)),
  );
  const names = ['/orders', ORIGIN.site, '"x"'] as const;
  const base = textOf([{ ...NO_FRACTIONS, error: 'x' }, NO_FRACTIONS]);
  let scannedToo = 0;
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.array(piece, { minLength: 1, maxLength: 3 }), (name, pieces) => {
      const start = base.indexOf(name) + 1;
      const body = Buffer.concat([Buffer.from(base.slice(0, start)), ...pieces, Buffer.from(base.slice(start))]);
      const scanned = scanBytes(body);
      const parsed = parse(body);
      if (scanned !== null) {
        scannedToo++;
        expect(parsed).not.toBeNull();
        expect(rows(scanned)).toEqual(parsed && rows(parsed));
      }
      if (parsed?.ok) {
        const { columns, origin } = parsed;
        const texts = columns.texts.flatMap((text) =>
          [...(text?.codes ?? [])].map((code) => text?.strings[code] ?? ''),
        );
        expect([origin.site, ...texts].every((text) => text.isWellFormed())).toBe(true);
      }
    }),
    { numRuns: rounds(1000, 2000), seed: 13 },
  );
  expect(scannedToo).toBeGreaterThan(100);
});

function scanBytes(bytes: Buffer): DecodedBatch | null {
  return decodeBatchBytes(bytes, NOW, NEW_BUFFERS);
}

function parse(bytes: Buffer): DecodedBatch | null {
  try {
    return decodeBatch(JSON.parse(bytes.toString('utf8')), NOW);
  } catch {
    return null;
  }
}

function read(bytes: Buffer): DecodedBatch {
  return scanBytes(bytes) ?? (parse(bytes) as DecodedBatch);
}

test('a batch with more new names than a browser has is left to JSON.parse', () => {
  const named = (count: number, prefix: string) =>
    textOf(Array.from({ length: count }, (_, n) => ({ ...NO_FRACTIONS, template: `/${prefix}-${n}` })));
  expect(scan(named(900, 'few'))).not.toBeNull();
  expect(scan(named(1_100, 'many'))).toBeNull();
  // Known ones cost next to nothing.
  expect(scan(named(900, 'few'))).not.toBeNull();
  expect(scan(named(900, 'other'))).not.toBeNull();
  const both = ['few', 'other'].flatMap((prefix) => Array.from({ length: 900 }, (_, n) => `/${prefix}-${n}`));
  expect(scan(textOf(both.map((template) => ({ ...NO_FRACTIONS, template }))))).not.toBeNull();
});
