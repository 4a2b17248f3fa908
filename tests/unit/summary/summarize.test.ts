import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { summarizeCell } from '../../../collector/analysis/summary/summarize-cell.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from './make-sample.ts';
import { summarize } from './summarize.ts';

const METHOD = {
  from: '2026-01-01T00:00:00Z',
  to: '2026-01-02T00:00:00Z',
  by: ['host', 'type'],
  filters: {},
  rules: [],
  versions: {},
};

function summaryOf(samples: Parameters<typeof aggregateSamples>[0]) {
  const cells = aggregateSamples(samples, ['host', 'type']);
  return summarize({ exact: true, bound: 0, dataHash: 'abc', cells }, METHOD);
}

test('999 requests of 10 ms and one of 3 s have a median of 10 and an average of 12.99', () => {
  const samples = Array.from({ length: 1000 }, (_, i) =>
    makeSample({ times: { wait: i === 500 ? 3_000_000 : 10_000 } }),
  );
  const [cell] = summaryOf(samples).cells;
  expect(cell?.phases.ttlb).toMatchObject({ n: 1000, median: 10, mean: 12.99, min: 10, max: 3000, p99: 10 });
  expect(cell?.gap).toMatchObject({ gap: 2.99, setup: 0, tail: 2.99, spread: 0, tailSamples: 1 });
});

test('a cell names what it was grouped by and keeps set-up phases to new connections', () => {
  const opened = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 42_000, wait: 41_000 } });
  const kept = makeSample({ times: { wait: 41_000 } });
  const document = summaryOf([opened, kept, kept, kept]);
  expect(document.method).toMatchObject({ exact: true, bound: 0, dataHash: 'abc', from: METHOD.from });
  const [cell] = document.cells;
  expect(cell).toMatchObject({ host: 'erp.example.com', type: 'document', samples: 4, browsers: 1 });
  expect(cell?.phases.tls).toMatchObject({ n: 1, median: 42, mean: 42 });
  expect(cell?.setup.perConnection).toMatchObject({ n: 1, mean: 82 });
  expect(cell?.setup.perRequest).toMatchObject({ n: 4, mean: 20.5, median: 0 });
  expect(cell?.perRequest).toEqual({ dns: 0, tcp: 10, tls: 10.5 });
});

test('requests of unknown connections count in no mean per request, nor do they thin out the others', () => {
  const opened = makeSample({ connection: 'new', times: { dns: 9_000, tcp: 40_000, tls: 42_000, wait: 41_000 } });
  const kept = makeSample({ times: { wait: 41_000 } });
  const unsure = makeSample({
    connection: 'unknown',
    times: { dns: null, wait: 41_000 },
    unknown: { dns: 'firefox_dns' },
  });
  const [cell] = summaryOf([opened, kept, kept, kept, kept, unsure, unsure, unsure, unsure]).cells;
  expect(cell?.perRequest).toEqual({ dns: 9 / 5, tcp: 8, tls: 8.4 });
  expect(cell?.perRequestMedian).toEqual({ dns: 0, tcp: 0, tls: 0 });
});

test('plain HTTP beside HTTPS pays no TLS; alone it has none to pay', () => {
  const secure = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 42_000 } });
  const plain = { scheme: 'http', unknown: { tls: 'plain_http' } } as const;
  const opened = makeSample({ ...plain, connection: 'new', times: { tcp: 40_000, tls: null } });
  const kept = makeSample({ ...plain, times: { tls: null } });
  const [mixed] = summaryOf([secure, opened, kept, kept]).cells;
  expect(mixed?.perRequest).toEqual({ dns: 0, tcp: 20, tls: 10.5 });
  expect(summaryOf([opened, kept]).cells[0]?.perRequest.tls).toBeNull();
});

test('the zeros of reused connections are zeros, and not too short to measure', () => {
  const opened = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 40_000, wait: 9000 } });
  const cell = (samples: StoredSample[]) => {
    const [aggregate] = aggregateSamples(samples, []);
    if (!aggregate) throw new Error('There is no cell.');
    return summarizeCell(aggregate);
  };
  const kept = Array.from({ length: 9 }, () => makeSample({ times: { wait: 9000 } }));
  expect(cell([opened, ...kept]).setup.perRequest).toMatchObject({ median: 0, belowClockStep: false });
  const short = makeSample({ connection: 'new', times: { tcp: 50, tls: 0, wait: 0 } });
  expect(cell([short]).setup.perRequest?.belowClockStep).toBe(true);
  expect(cell([short]).phases.wait?.belowClockStep).toBe(true);
});

test('a cell of two clocks has the coarser one', () => {
  const [aggregate] = aggregateSamples(
    [100, 1000, 100].map((clockStep) => makeSample({ origin: { clockStep } })),
    [],
  );
  expect(aggregate?.clockStep).toBe(1000);
});
