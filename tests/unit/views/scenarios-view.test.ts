import { describe, expect, test } from 'vitest';
import { scenariosView } from '../../../collector/analysis/tables/scenarios-view.ts';
import type { TableRow } from '../../../collector/analysis/tables/table-document.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';
import { fitValues } from './fit-values.ts';
import { expectPrinted, rowOf, tableOf } from './printed.ts';
import { outsideScenarios, scenarioGroups } from './scenario-groups.ts';

/** 50 threads of 200 requests. */
const N = 10_000;

function between(n: number, from: number, to: number): number[] {
  return Array.from({ length: n }, (_, i) => Math.round((from + ((to - from) * i) / n) * 1000));
}

function quantiles(median: number, p95: number, p99: number): number[] {
  return fitValues({
    n: N,
    min: median - 6,
    max: p99 + 60,
    mean: median + 1,
    quantiles: [
      { q: 0.5, value: median },
      { q: 0.95, value: p95 },
      { q: 0.99, value: p99 },
    ],
  });
}

/** Three peaks, and 2 % over 200 ms, most of them over a second. */
const ALL_NEW = [
  ...between(2500, 44, 46),
  ...between(5000, 65, 67),
  ...between(2300, 79, 82.45),
  ...between(50, 210, 900),
  ...between(150, 1020, 3000),
];

const RUNS: Record<
  string,
  { readonly seconds: number; readonly printed: Record<string, string>; readonly samples: StoredSample[] }
> = {
  'http-reused': {
    seconds: N / 93,
    printed: { seenPerSecond: '93', median: '17', p95: '20', p99: '33' },
    samples: quantiles(17, 20, 33).map((wait) =>
      makeSample({ scheme: 'http', times: { wait, tls: null }, unknown: { tls: 'plain_http' } }),
    ),
  },
  'https-reused': {
    seconds: N / 93,
    printed: { seenPerSecond: '93', median: '22', p95: '36', p99: '40' },
    samples: quantiles(22, 36, 40).map((wait) => makeSample({ times: { wait } })),
  },
  'https-new': {
    seconds: N / 75,
    printed: { seenPerSecond: '75', handshakesPerSecond: '75', median: '66', p95: '82', above200: '0.02' },
    samples: ALL_NEW.map((total) =>
      makeSample({ connection: 'new', times: { tcp: 2000, tls: 15_000, wait: total - 17_000 } }),
    ),
  },
};

function timesRow(samples: readonly StoredSample[], seconds: number | null, where: TableRow): TableRow {
  const view = scenariosView(scenarioGroups(samples), { durationSeconds: seconds, outside: new Map() });
  return rowOf(tableOf(view, 'Response times'), where);
}

test.each(Object.entries(RUNS))('the load test, %s', (scenario, { seconds, printed, samples }) => {
  const row = timesRow(samples, seconds, { scenario });
  expect(row.n).toBe(N);
  for (const [name, figure] of Object.entries(printed)) expectPrinted(row[name], figure, `${scenario} ${name}`);
});

describe('everything new', () => {
  const { samples, seconds } = RUNS['https-new'] ?? { samples: [], seconds: 1 };
  const row = timesRow(samples, seconds, { scenario: 'https-new' });

  test('one of a hundred takes over a second', () => {
    expect(Number(row.p99)).toBeGreaterThan(1000);
    expect(row.above1000).toBe(0.015);
  });

  test('the three peaks and the few percent over a second are named, and seen in the histogram', () => {
    const peaks = String(row.peaks).split(', ');
    expect(peaks).toHaveLength(4);
    expect(Number(peaks[3]?.split(' ')[0]?.replace(',', ''))).toBeGreaterThan(1000);
    const groups = scenarioGroups(samples);
    const { rows } = tableOf(scenariosView(groups, { durationSeconds: seconds, outside: new Map() }), 'Histogram');
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(N);
    const at = (ms: number) => rows.find(({ from, to }) => Number(from) <= ms && ms < Number(to));
    expect(at(45)?.count).toBe(2500);
    // The second peak lies across an edge, at 65.5 ms.
    expect(Number(at(65)?.count) + Number(at(66)?.count)).toBe(5000);
    expect(at(150)?.count).toBe(0);
  });

  test('round trips are not told of a path of 2 ms, where computing is longer', () => {
    expect(row.handshakeRoundTrips).toBeNull();
  });
});

test('probes and users have rows of their own, full and resumed are parts of new', () => {
  const opened = (given: Parameters<typeof makeSample>[0]) =>
    makeSample({ connection: 'new', times: { tcp: 40_000, tls: 41_000, wait: 40_000 }, ...given });
  const samples = [
    opened({ handshake: 'full' }),
    opened({ handshake: 'resumed' }),
    opened({ source: 'probe-https-new', handshake: 'full' }),
    opened({}),
    makeSample({ connection: 'cache' }),
  ];
  const groups = scenarioGroups(samples);
  expect(groups.map(({ scenario, source, aggregate }) => [scenario, source, aggregate.samples])).toEqual([
    ['https-new', 'page', 3],
    ['https-new', 'probe', 1],
    ['https-new-resumed', 'page', 1],
    ['https-new-full', 'page', 1],
    ['https-new-full', 'probe', 1],
  ]);
});

test('imported recordings are neither users nor probes', () => {
  const groups = scenarioGroups(
    ['har-before', 'probe-https-new', 'page', 'har'].map((source) => makeSample({ source, connection: 'new' })),
  );
  expect(groups.map(({ scenario, source, aggregate }) => [scenario, source, aggregate.samples])).toEqual([
    ['https-new', 'page', 1],
    ['https-new', 'probe', 1],
    ['https-new', 'import', 2],
  ]);
});

test('what is in no scenario is counted by source and class, but for the steps of scripts', () => {
  const failed = { connection: 'failed', excluded: 'failed' } as const;
  const samples = [
    ...Array.from({ length: 573 }, () => makeSample(failed)),
    makeSample({ ...failed, source: 'probe-https-new' }),
    makeSample({ ...failed, source: 'probe-script' }),
    makeSample({ connection: 'cache' }),
    makeSample({}),
  ];
  const view = scenariosView(scenarioGroups(samples), { durationSeconds: 10, outside: outsideScenarios(samples) });
  expect(tableOf(view, 'In no scenario').rows).toEqual([
    { source: 'page', connection: 'cache', n: 1 },
    { source: 'page', connection: 'failed', n: 573 },
    { source: 'probe', connection: 'failed', n: 1 },
  ]);
});

test('near and far hosts keep their own round trips', () => {
  const opened = (host: string, tcp: number) =>
    makeSample({ host, connection: 'new', times: { tcp, tls: 2 * tcp, wait: 1000 } });
  const merged = makeSample({ connection: 'new', protocol: 'h3', times: { tcp: 1000, tls: 90_000 } });
  const mixed = [opened('near', 6000), opened('far', 90_000), merged, merged];
  expect(timesRow(mixed, 10, { scenario: 'https-new' }).handshakeRoundTrips).toBe(2);
});

test('the rate is of usable requests, and its name says so', () => {
  const refused = makeSample({ status: 401, excluded: 'status' });
  const samples = [...Array.from({ length: 10 }, () => makeSample()), ...Array.from({ length: 90 }, () => refused)];
  const table = tableOf(
    scenariosView(scenarioGroups(samples), { durationSeconds: 10, outside: new Map() }),
    'Response times',
  );
  expect(rowOf(table, { scenario: 'https-reused' })).toMatchObject({ n: 10, seenPerSecond: 1, leftOut: 90 });
  expect(table.columns.find(({ name }) => name === 'seenPerSecond')?.label).toBe('Usable requests seen');
  expect(table.notes[0]).toMatch(/^Usable requests seen: .*Left out/);
});

test('over 200 ms means over 200 ms', () => {
  const waits = [199_000, 200_000, 201_000, 249_000, 251_000];
  const row = timesRow(
    waits.map((wait) => makeSample({ times: { wait } })),
    10,
    { scenario: 'https-reused' },
  );
  expect(row.above200).toBe(0.6);
});

test('without a stated duration there are no rates', () => {
  const row = timesRow([makeSample({ times: { wait: 1000 } })], null, { scenario: 'https-reused' });
  expect(row).toMatchObject({ seenPerSecond: null, handshakesPerSecond: null, peaks: null });
});
