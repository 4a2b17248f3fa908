import { describe, expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { type NamedGroup, PERCENTAGES, phasesView } from '../../../collector/analysis/tables/phases-view.ts';
import { UNKNOWN_FACTS } from '../../../collector/analysis/tables/scenario-facts.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';
import { cacheTable } from './cache-table.ts';
import { expectPrinted, rowOf, tableOf } from './printed.ts';
import { scenarioFacts } from './scenario-facts.ts';

const NO_CACHE = cacheTable([]);

/** One request, ms: connect, processing, and the wait inside of processing. */
type Request = readonly [connect: number, processing: number, waiting: number];

interface PrintedRun {
  readonly name: string;
  readonly times: Readonly<
    Record<string, readonly [min: string, mean: string, sd: string, median: string, max: string]>
  >;
  readonly ladder: readonly string[];
  readonly totals: Readonly<Record<string, string>>;
  readonly durationSeconds: number;
  readonly samples: () => StoredSample[];
}

function repeat(n: number, request: Request): Request[] {
  return Array.from({ length: n }, () => request);
}

function opened(requests: readonly Request[], scheme: 'http' | 'https', transferSize: number): StoredSample[] {
  return requests.map(([connect, processing, waiting]) => {
    const tls = scheme === 'http' ? null : Math.round(connect * 0.9 * 1000);
    return makeSample({
      scheme,
      connection: 'new',
      transferSize,
      encodedBodySize: 5569,
      unknown: tls === null ? { tls: 'plain_http' } : {},
      times: { tcp: Math.round(connect * 1000) - (tls ?? 0), tls, ...served(processing, waiting) },
    });
  });
}

function kept(requests: readonly Request[], transferSize: number): StoredSample[] {
  return requests.map(([, processing, waiting]) =>
    makeSample({ transferSize, encodedBodySize: 5569, times: served(processing, waiting) }),
  );
}

function served(processing: number, waiting: number) {
  const wait = Math.round(waiting * 1000);
  return { wait, receive: Math.round(processing * 1000) - wait };
}

const PLAIN: PrintedRun = {
  name: 'HTTP',
  times: {
    Connect: ['0', '6', '160.5', '1', '10989'],
    Processing: ['2', '2', '2.6', '2', '257'],
    Waiting: ['0', '1', '0.4', '1', '33'],
    Total: ['2', '8', '160.5', '3', '10991'],
  },
  ladder: ['3', '3', '3', '3', '4', '4', '4', '4', '10991'],
  totals: {
    seenPerSecond: '125.76',
    perRequest: '7.951',
    duration: '79.515',
    transferred: '58040000',
    body: '55690000',
    transferRate: '712.82',
  },
  durationSeconds: 79.5148,
  // Twelve connects that waited for a lost packet to be sent again, and one that waited for the third time.
  samples: () =>
    opened(
      [
        ...repeat(4390, [0.9, 2, 0.8]),
        ...repeat(4390, [0.9, 2, 1.2]),
        ...repeat(1204, [1.2, 2.5, 1]),
        [0.4, 1.6, 0.3],
        [0.9, 257, 1],
        [0.9, 40, 33],
        ...repeat(12, [3380.5, 2, 1]),
        [10_989, 2, 1],
      ],
      'http',
      5804,
    ),
};

const EVERY_TIME_NEW: PrintedRun = {
  name: 'HTTPS',
  times: {
    Connect: ['143', '145', '3.4', '145', '415'],
    Processing: ['2', '2', '1.5', '2', '134'],
    Waiting: ['0', '1', '1.4', '1', '133'],
    Total: ['145', '147', '3.8', '147', '417'],
  },
  ladder: ['147', '147', '147', '148', '148', '149', '155', '155', '417'],
  totals: {
    seenPerSecond: '6.77',
    perRequest: '147.658',
    duration: '1476.578',
    transferred: '58660000',
    body: '55690000',
    transferRate: '38.80',
  },
  durationSeconds: 1476.578,
  samples: () =>
    opened(
      [
        ...repeat(3800, [144.8, 2, 0.6]),
        ...repeat(3800, [144.8, 2, 1.4]),
        ...repeat(1700, [145.5, 2.2, 1]),
        ...repeat(395, [146.5, 2.3, 1]),
        ...repeat(300, [152.8, 2.2, 1]),
        [143.2, 1.8, 0.3],
        [144.8, 72, 1],
        [168, 134, 133],
        [293, 2, 1],
        [415, 2, 1],
      ],
      'https',
      5866,
    ),
};

const KEEP_ALIVE: PrintedRun = {
  name: 'HTTPS with keep-alive',
  times: {
    Connect: ['0', '9', '34.4', '0', '447'],
    Processing: ['2', '2', '0.1', '2', '3'],
    Waiting: ['1', '1', '0.1', '1', '3'],
    Total: ['2', '11', '34.4', '2', '449'],
  },
  ladder: ['2', '2', '2', '2', '2', '146', '147', '147', '449'],
  totals: {
    seenPerSecond: '94.39',
    perRequest: '10.595',
    duration: '105.949',
    transferred: '58707060',
    body: '55690000',
    transferRate: '541.12',
    keepAlive: '9412',
  },
  durationSeconds: 105.949,
  samples: () => [
    ...kept([...repeat(4706, [0, 1.95, 0.95]), ...repeat(4705, [0, 2.1, 1.1]), [0, 2.95, 2.9]], 5871),
    ...opened([...repeat(200, [144, 2, 1]), ...repeat(386, [145.2, 2, 1]), [300, 2, 1], [447, 2, 1]], 'https', 5866),
  ],
};

const RUNS = [PLAIN, EVERY_TIME_NEW, KEEP_ALIVE];

function groupOf({ name, durationSeconds, samples }: PrintedRun): NamedGroup {
  const measured = samples();
  const [aggregate] = aggregateSamples(measured, []);
  if (!aggregate) throw new Error('There are no samples.');
  return {
    name,
    durationSeconds,
    aggregate,
    facts: scenarioFacts(measured),
    failed: aggregate.evidence.excluded.failed ?? 0,
  };
}

describe.each(RUNS)('the ApacheBench run over $name', (run) => {
  const view = phasesView([groupOf(run)], NO_CACHE);

  test.each(Object.entries(run.times))('%s', (time, printed) => {
    const row = rowOf(tableOf(view, 'Connection times'), { name: run.name, time });
    expect(row.n).toBe(10_000);
    (['min', 'mean', 'sd', 'median', 'max'] as const).forEach((name, i) => {
      expectPrinted(row[name], printed[i] ?? '', `${time} ${name}`);
    });
  });

  test('percentage of the requests served within a time', () => {
    PERCENTAGES.forEach((percentage, i) => {
      const row = rowOf(tableOf(view, 'Requests served within a time'), { percentage: percentage / 100 });
      expectPrinted(row[`group:${run.name}`], run.ladder[i] ?? '', `${percentage} %`);
    });
  });

  test('totals', () => {
    const row = rowOf(tableOf(view, 'Totals'), { name: run.name });
    expect(row).toMatchObject({ complete: 10_000, failed: 0 });
    for (const [name, printed] of Object.entries(run.totals)) expectPrinted(row[name], printed, name);
  });
});

test('three runs side by side share one ladder', () => {
  const ladder = tableOf(phasesView(RUNS.map(groupOf), NO_CACHE), 'Requests served within a time');
  expect(ladder.columns.map(({ label }) => label)).toEqual(['Share of requests', ...RUNS.map(({ name }) => name)]);
});

test('a name that is also a column does no harm', () => {
  const view = phasesView([{ ...groupOf(KEEP_ALIVE), name: 'percentage' }], NO_CACHE);
  expect(tableOf(view, 'Requests served within a time').rows[0]?.percentage).toBe(0.5);
});

test('failed requests of scenarios are unknown by group, and counted in a table of their own', () => {
  const group = { ...groupOf(KEEP_ALIVE), failed: null };
  const outside = new Map([['page', new Map([['failed', 573]])]] as const);
  const view = phasesView([group], NO_CACHE, outside);
  expect(tableOf(view, 'Totals').rows[0]?.failed).toBeNull();
  expect(tableOf(view, 'Totals').notes).toContainEqual(expect.stringMatching(/failed ones are counted under/));
  expect(tableOf(view, 'In no scenario').rows).toEqual([{ source: 'page', connection: 'failed', n: 573 }]);
});

test('cache share, and bytes that the same browser fetched again', () => {
  const script = (given: Parameters<typeof makeSample>[0]) =>
    makeSample({ type: 'script', template: '/app.js', ...given });
  const samples = [
    script({ at: 1, transferSize: 5000 }),
    script({ at: 4, transferSize: 5100 }),
    script({ at: 2, connection: 'cache', transferSize: 0 }),
    script({ at: 3, transferSize: 5000, origin: { client: 'browser-2' } }),
  ];
  const [aggregate] = aggregateSamples(samples, []);
  if (!aggregate) throw new Error('There are no samples.');
  const view = phasesView(
    [{ name: 'all', durationSeconds: null, failed: 0, aggregate, facts: UNKNOWN_FACTS }],
    cacheTable(samples),
  );
  expect(rowOf(tableOf(view, 'Cache'), { type: 'script' })).toMatchObject({
    samples: 4,
    cacheShare: 0.25,
    bytes: 15_100,
    again: 1,
    bytesAgain: 5100,
  });
  expect(rowOf(tableOf(view, 'Totals'), { name: 'all' })).toMatchObject({ seenPerSecond: null, perRequest: null });
});

test('means are said to add up only where they do', () => {
  const note = (samples: StoredSample[]) => {
    const [aggregate] = aggregateSamples(samples, []);
    if (!aggregate) throw new Error('There are no samples.');
    const view = phasesView(
      [{ name: 'all', durationSeconds: null, failed: 0, aggregate, facts: UNKNOWN_FACTS }],
      NO_CACHE,
    );
    return tableOf(view, 'Connection times').notes.at(-1);
  };
  const opened = makeSample({ connection: 'new', times: { tcp: 10_000, tls: 10_000, wait: 100_000 } });
  const unknown = makeSample({ connection: 'new', times: { tcp: null, tls: null, wait: 150_000 } });
  expect(note([opened, makeSample()])).toMatch(/^Means add up/);
  expect(note([opened, unknown])).toMatch(/^The means do not add up: the set-up of 1 request is unknown/);
});
