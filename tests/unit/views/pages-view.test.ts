import { describe, expect, test } from 'vitest';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';
import { fitValues } from './fit-values.ts';
import { pagesView } from './pages-view.ts';
import { expectPrinted, rowOf, tableOf } from './printed.ts';

const OPTIONS = { durationSeconds: 180 };

/** The page of 1 KB: 64 hits, and the printed first bytes; the last byte comes 0.1 ms or so later. */
const FIRST_BYTE = { average: '295.17', min: '181.75', p25: '190.26', p50: '192.89', p75: '299.48', max: '3405.89' };
const LAST_BYTE = { average: '295.31', min: '181.86', p25: '190.37', p50: '193.01', p75: '299.60', max: '3406.01' };

function page(template: string, times: { readonly first: number; readonly last: number }, bytes: number): StoredSample {
  return makeSample({
    template,
    type: template.startsWith('/image') ? 'image' : 'document',
    encodedBodySize: bytes,
    times: { wait: times.first, receive: times.last - times.first },
  });
}

function column(printed: typeof FIRST_BYTE): number[] {
  return fitValues({
    n: 64,
    min: Number(printed.min),
    max: Number(printed.max),
    mean: Number(printed.average),
    quantiles: [
      { q: 0.25, value: Number(printed.p25) },
      { q: 0.5, value: Number(printed.p50) },
      { q: 0.75, value: Number(printed.p75) },
    ],
  });
}

test('the table of the 1 KB page, every figure to its last printed digit', () => {
  const last = column(LAST_BYTE);
  const samples = column(FIRST_BYTE).map((first, i) => page('/text1KB.htm', { first, last: last[i] ?? 0 }, 1026));
  const view = pagesView(samples, OPTIONS);
  const row = rowOf(tableOf(view, 'Pages'), { template: '/text1KB.htm' });
  expect(row.hits).toBe(64);
  for (const [name, printed] of [
    ['ttfb', FIRST_BYTE],
    ['ttlb', LAST_BYTE],
  ] as const) {
    expectPrinted(row[`${name}_mean`], printed.average, `${name} average`);
    expectPrinted(row[`${name}_min`], printed.min, `${name} min`);
    expectPrinted(row[`${name}_p25`], printed.p25, `${name} p25`);
    expectPrinted(row[`${name}_median`], printed.p50, `${name} p50`);
    expectPrinted(row[`${name}_p75`], printed.p75, `${name} p75`);
    expectPrinted(row[`${name}_max`], printed.max, `${name} max`);
  }
  for (const shown of ['min', 'p25', 'median', 'p75', 'max']) expect(row[`length_${shown}`]).toBe(1026);
  expect(row.lengthStable).toBe('stable');
  expect(rowOf(tableOf(view, 'Result codes'), { template: '/text1KB.htm' })).toMatchObject({ code: '200', count: 64 });
});

/** Name, hits, bytes, and printed medians of first and last byte. */
const ALL_TESTS = [
  ['/text1KB.htm', 64, 1026, '192.89', '193.01'],
  ['/text2KB.htm', 63, 2050, '209.73', '209.94'],
  ['/text4KB.htm', 63, 4098, '219.90', '285.65'],
  ['/image1KB.gif', 63, 1026, '173.07', '173.24'],
  ['/image2KB.gif', 64, 2050, '176.08', '176.28'],
  ['/image4KB.gif', 64, 4098, '193.09', '266.12'],
] as const;

/** Every other sample a little above, every other a little below, the median itself in the middle. */
function around(printed: string, n: number): number[] {
  const median = Math.round(Number(printed) * 1000);
  return Array.from({ length: n }, (_, i) => median + (i - Math.floor((n - 1) / 2)) * 200);
}

describe('all six pages together', () => {
  const samples = ALL_TESTS.flatMap(([template, hits, bytes, ttfb, ttlb]) => {
    const last = around(ttlb, hits);
    return around(ttfb, hits).map((first, i) => page(template, { first, last: last[i] ?? 0 }, bytes));
  });
  const view = pagesView(samples, OPTIONS);

  test.each(ALL_TESTS)('%s: %d hits of %d bytes, first byte %s, last byte %s', (template, hits, _bytes, ttfb, ttlb) => {
    const row = rowOf(tableOf(view, 'Pages'), { template });
    expect(row.hits).toBe(hits);
    expectPrinted(row.ttfb_median, ttfb, 'first byte');
    expectPrinted(row.ttlb_median, ttlb, 'last byte');
  });

  test('381 answers, all of them 200, hits nearly even', () => {
    const codes = tableOf(view, 'Result codes').rows;
    expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => '200'));
    expect(codes.reduce((sum, { count }) => sum + Number(count), 0)).toBe(381);
    expect(tableOf(view, 'Pages').notes[0]).toBe('Hits per page range from 63 to 64.');
  });

  test('the 1 KB page costs the server about 20 ms more than the image of its size', () => {
    const row = rowOf(tableOf(view, 'Page minus image'), { template: '/text1KB.htm' });
    expect(row.image).toBe('/image1KB.gif');
    expectPrinted(row.server, '19.82', 'server share');
  });

  test('a handshake that only the page pays is no part of the server share', () => {
    const shake = { dns: 5000, tcp: 20_000, tls: 25_000 };
    const paid = samples.map((sample) =>
      sample.type !== 'document'
        ? sample
        : makeSample({ ...sample, connection: 'new', times: { ...shake, wait: sample.times.wait } }),
    );
    const row = rowOf(tableOf(pagesView(paid, OPTIONS), 'Page minus image'), { template: '/text1KB.htm' });
    expectPrinted(row.server, '19.82', 'server share');
  });

  test('an image of three times the size stands for no page', () => {
    const one = page('/page', { first: 20_000, last: 20_100 }, 1000);
    const withImage = (bytes: number) =>
      tableOf(pagesView([one, page('/image', { first: 9000, last: 9100 }, bytes)], OPTIONS), 'Page minus image').rows;
    expect(withImage(3000)).toEqual([]);
    expect(withImage(1900)).toHaveLength(1);
    expect(withImage(334)).toEqual([]);
  });

  test('receiving jumps at 4 KB; without a new connection there is no round trip to measure it by', () => {
    const table = tableOf(view, 'Receive by size');
    expect(table.rows.map(({ size, over }) => [size, over])).toEqual([
      [1024, null],
      [2048, null],
      [4096, null],
    ]);
    const [one, two, four] = table.rows.map(({ median }) => Number(median));
    expect(Math.max(one ?? 0, two ?? 0)).toBeLessThan(1);
    expect(four).toBeGreaterThan(60);
    expect(table.notes[0]).toMatch(/no round trip/);
  });

  test('from which size on receiving exceeds half a round trip, where a connection was opened', () => {
    const opened = makeSample({
      connection: 'new',
      times: { tcp: 100_000, tls: 100_000, wait: 170_000, receive: 100 },
      encodedBodySize: 1026,
    });
    const table = tableOf(pagesView([opened, ...samples], OPTIONS), 'Receive by size');
    expect(table.rows.map(({ size, over }) => [size, over])).toEqual([
      [1024, 'no'],
      [2048, 'no'],
      [4096, 'yes'],
    ]);
    expect(table.notes[0]).toBe('From about 4 KB on, receiving takes more than half a round trip (50.0 ms).');
  });
});

describe('receive by size', () => {
  /** Round trip 40 ms: half is 20. */
  const opened = makeSample({
    connection: 'new',
    encodedBodySize: null,
    times: { tcp: 40_000, tls: 40_000, wait: 50_000 },
  });
  const bodies = (n: number, kilobytes: number, milliseconds: number) =>
    Array.from({ length: n }, () =>
      makeSample({ encodedBodySize: kilobytes * 1024, times: { wait: 50_000, receive: milliseconds * 1000 } }),
    );
  const tableFor = (...samples: StoredSample[][]) =>
    tableOf(pagesView([opened, ...samples.flat()], OPTIONS), 'Receive by size');

  test('one small class that is slow is not where it begins', () => {
    const table = tableFor(bodies(9, 1, 50), bodies(9, 4, 1), bodies(9, 64, 1), bodies(9, 256, 60));
    expect(table.notes[0]).toBe(
      'From about 256 KB on, receiving takes more than half a round trip (20.0 ms). About 1 KB does too, though larger ones do not.',
    );
  });

  test('a class of few requests neither begins nor ends it', () => {
    const table = tableFor(bodies(9, 4, 50), bodies(5, 16, 1), bodies(6, 64, 50));
    expect(table.rows.map(({ over }) => over)).toEqual(['yes', null, 'yes']);
    expect(table.notes[0]).toMatch(/^From about 4 KB on/);
  });

  test('where the largest stay below, no size is one to begin at', () => {
    const table = tableFor(bodies(9, 1, 50), bodies(9, 64, 1));
    expect(table.notes[0]).toBe(
      'There is no size above which receiving always takes more than half a round trip (20.0 ms). About 1 KB does, though larger ones do not.',
    );
  });
});

describe('what would spoil the times stays out and is counted', () => {
  const good = Array.from({ length: 40 }, () => makeSample({ times: { wait: 50_000 } }));
  const refused = makeSample({ status: 401, excluded: 'status', times: { wait: 2000 } });
  const warming = makeSample({ excluded: 'warmup', times: { wait: 900_000 } });
  const view = pagesView([...good, refused, refused, warming], OPTIONS);

  test('401 answers and the warm-up', () => {
    const row = rowOf(tableOf(view, 'Pages'), { template: '/' });
    expect(row).toMatchObject({ hits: 40, ttlb_min: 50, ttlb_max: 50 });
    expect(rowOf(tableOf(view, 'Result codes'), { code: '401' }).count).toBe(2);
    expect(view.notes).toEqual(
      expect.arrayContaining([
        'Duration: 180 s.',
        'Warm-up: 1 request, left out.',
        'Left out for their status (such as 401): 2.',
      ]),
    );
    expect(view.notes.join(' ')).toMatch(/Concurrency: 0\.01 requests/);
  });

  test('a size that varies is said beside the times', () => {
    const other = pagesView([...good, makeSample({ encodedBodySize: 5 })], OPTIONS);
    expect(rowOf(tableOf(other, 'Pages'), { template: '/' }).lengthStable).toBe('varies');
  });
});
