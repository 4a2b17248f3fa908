import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DICTIONARY_ENTRIES, MAX_METRICS, MAX_ROWS } from '../../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import type { BatchCode } from '../../../shared/wire/wire-codes.ts';
import { rounds } from '../../rounds.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

type Json = Record<string, unknown>;

function good(): Json & { columns: Json; dictionaries: Json } {
  return JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, [PLAIN_SAMPLE, PLAIN_SAMPLE])));
}

const CASES: readonly (readonly [code: BatchCode, what: string, batch: () => unknown])[] = [
  ['invalid_batch', 'null', () => null],
  ['invalid_batch', 'a list', () => [good()]],
  ['invalid_batch', 'text', () => 'batch'],
  ['unsupported_version', 'no version', () => ({})],
  ['unsupported_version', 'a later version', () => ({ ...good(), version: 2 })],
  ['unsupported_version', 'a version on the prototype', () => JSON.parse('{"__proto__":{"version":1}}')],
  ['invalid_batch', 'an id that is no UUID', () => ({ ...good(), batch: '../../etc' })],
  ['invalid_batch', 'no client', () => ({ ...good(), client: undefined })],
  ['invalid_batch', 'a client with spaces', () => ({ ...good(), client: 'Jane Doe of Sales' })],
  ['invalid_batch', 'a site that is a list', () => ({ ...good(), site: [] })],
  ['invalid_batch', 'a long site', () => ({ ...good(), site: 'x'.repeat(101) })],
  ['invalid_batch', 'a site with half of a surrogate pair', () => ({ ...good(), site: 'K\ud800ln' })],
  ['invalid_batch', 'a site that changes direction', () => ({ ...good(), site: 'Ber\u202elin' })],
  ['invalid_batch', 'a site with a zero-width space', () => ({ ...good(), site: 'a\u200bb' })],
  ['invalid_batch', 'a site with a C1 control', () => ({ ...good(), site: 'a\u0085b' })],
  ['invalid_batch', 'a brand for a browser', () => ({ ...good(), browser: 'edge' })],
  ['invalid_batch', 'no browser version', () => ({ ...good(), browserVersion: 128 })],
  ['invalid_batch', 'a clock step of 0', () => ({ ...good(), clockStep: 0 })],
  ['invalid_batch', 'sentAt as text', () => ({ ...good(), sentAt: '2026-03-01' })],
  ['invalid_batch', 'n that is not the length', () => ({ ...good(), n: 3 })],
  ['invalid_batch', 'a negative n', () => ({ ...good(), n: -1 })],
  ['batch_too_large', 'an endless n', () => ({ ...good(), n: MAX_ROWS + 1 })],
  ['invalid_batch', 'columns missing', () => ({ ...good(), columns: null })],
  ['invalid_batch', 'at missing', () => ({ ...good(), columns: { ...good().columns, at: null } })],
  ['invalid_batch', 'times missing', () => ({ ...good(), columns: { ...good().columns, times: [] } })],
  ['invalid_batch', 'a short column', () => ({ ...good(), columns: { ...good().columns, status: [200] } })],
  ['invalid_batch', 'a column of text', () => ({ ...good(), columns: { ...good().columns, host: '00' } })],
  ['invalid_batch', 'a dictionary of text', () => ({ ...good(), dictionaries: { host: 'erp' } })],
  [
    'batch_too_large',
    'an endless dictionary',
    () => ({ ...good(), dictionaries: { host: new Array(MAX_DICTIONARY_ENTRIES + 1).fill('a') } }),
  ],
  [
    'batch_too_large',
    'too many metrics',
    () => withMetrics(Array.from({ length: MAX_METRICS + 1 }, (_, i) => `m${i}`)),
  ],
  ['invalid_batch', 'a metric called __proto__', () => withMetrics(['__proto__'])],
  ['invalid_batch', 'a metric with a space', () => withMetrics(['c p u'])],
];

function withMetrics(names: readonly string[]): Json {
  return {
    ...good(),
    columns: { ...good().columns, metrics: Object.fromEntries(names.map((name) => [name, [1, 1]])) },
  };
}

test.each(CASES)('%s: %s', (code, _what, batch) => {
  expect(decodeBatch(batch(), NOW)).toEqual({
    ok: false,
    code,
    message: expect.stringMatching(/\S/),
    hint: expect.stringMatching(/\S/),
  });
});

test('a column that is a value longer or shorter than n refuses the batch', () => {
  const lists = pathsOf(good().columns).filter((path) => Number.isNaN(Number(path.at(-1))) && path.at(-1) !== 'times');
  expect(lists.length).toBeGreaterThan(25);
  for (const path of lists.filter((each) => each.join() !== 'metrics')) {
    for (const change of [(list: unknown[]) => list.push(1), (list: unknown[]) => list.pop()]) {
      const batch = good();
      change(path.reduce((parent, name) => parent[name] as Json, batch.columns) as unknown as unknown[]);
      expect(decodeBatch(batch, NOW), path.join('.')).toMatchObject({ ok: false, code: 'invalid_batch' });
    }
  }
});

test('names of a later version are passed over', () => {
  const batch = good();
  const later = {
    ...batch,
    mood: 1,
    columns: { ...batch.columns, smell: 'any' },
    dictionaries: { ...batch.dictionaries, x: 1 },
  };
  expect(decodeBatch(later, NOW)).toEqual(decodeBatch(batch, NOW));
});

test('an empty batch is a batch', () => {
  expect(decodeBatch(encodeBatch(ORIGIN, BATCH_ID, NOW, []), NOW)).toMatchObject({
    ok: true,
    samples: [],
    rejected: [],
  });
});

test('ids differ by more than case', () => {
  expect(decodeBatch({ ...good(), batch: BATCH_ID.toUpperCase() }, NOW)).toMatchObject({ batchId: BATCH_ID });
});

/** Any value at any one place of a good batch: every answer is a verdict, and no row is lost uncounted. */
test('whatever stands anywhere in a batch, the answer is a verdict', () => {
  const places = pathsOf(good());
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.anything({ withBigInt: true, withDate: true }), (path, value) => {
      const batch = good();
      put(batch, path, value);
      const decoded = decodeBatch(batch, NOW);
      if (!decoded.ok) return;
      expect(decoded.samples.length + decoded.rejected.length).toBe(batch.n);
      for (const { times } of decoded.samples) {
        for (const time of Object.values(times))
          expect(time === null || (time >= 0 && Number.isInteger(time))).toBe(true);
      }
    }),
    { numRuns: rounds(1000, 3000), seed: 11 },
  );
});

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsOf(inner).map((rest) => [name, ...rest])]);
}

function put(parent: Json, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) parent[name] = value;
  else put(parent[name] as Json, rest, value);
}
