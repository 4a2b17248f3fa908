import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateSamples, createAggregator } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { perRequestMean } from '../../../collector/analysis/summary/per-request.ts';
import type { CellAggregate } from '../../../collector/reductions/cell-aggregate.ts';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { DIMENSIONS } from '../../../shared/vocabulary/dimensions.ts';
import { sketchOf } from '../statistics/sketch-of.ts';
import { ARBITRARY_SAMPLES } from './arbitrary-sample.ts';
import { makeSample } from './make-sample.ts';

const DIMENSION_LIST = fc.uniqueArray(fc.constantFrom(...DIMENSIONS), { maxLength: 3 });

function only(cells: readonly CellAggregate[]): CellAggregate {
  expect(cells).toHaveLength(1);
  return cells[0] as CellAggregate;
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

describe('every sample is counted once, whatever it is', () => {
  test('samples = usable + opaque + cache + Σexcluded = Σconnections = Σstatus, in every cell and in all', () => {
    fc.assert(
      fc.property(ARBITRARY_SAMPLES, DIMENSION_LIST, (samples, by) => {
        const cells = aggregateSamples(samples, by);
        expect(cells.reduce((sum, cell) => sum + cell.samples, 0)).toBe(samples.length);
        for (const { samples: n, evidence, connections, status } of cells) {
          expect(evidence.usable + evidence.opaque + evidence.cache + total(evidence.excluded)).toBe(n);
          expect(total(connections)).toBe(n);
          expect(total(status)).toBe(n);
        }
      }),
    );
  });

  test('only usable ones reach a time, and the zeros of reused connections reach no set-up phase', () => {
    fc.assert(
      fc.property(ARBITRARY_SAMPLES, (samples) => {
        const [cell] = aggregateSamples(samples, []);
        const usable = samples.filter((sample) => toEvidenceClass(sample) === 'usable');
        const opened = usable.filter((sample) => sample.connection === 'new');
        expect(cell?.times.ttlb.n ?? 0).toBe(usable.length);
        expect(cell?.times.tcp.n ?? 0).toBe(opened.length);
        expect(cell?.times.tls.n ?? 0).toBe(opened.filter(({ scheme }) => scheme === 'https').length);
        const phases = (['blocked', 'dns', 'tcp', 'tls', 'wait', 'receive'] as const).map(
          (name) => cell?.times[name].sum ?? 0,
        );
        expect(phases.reduce((sum, time) => sum + time, 0)).toBe(cell?.times.ttlb.sum ?? 0);
      }),
    );
  });
});

test('the order of the samples does not matter, and adding goes on after reading', () => {
  fc.assert(
    fc.property(ARBITRARY_SAMPLES, DIMENSION_LIST, (samples, by) => {
      const numbers = (cells: readonly CellAggregate[]) =>
        cells.map((cell) => [
          cell.key,
          cell.samples,
          cell.times.ttlb.bins(),
          cell.serverShare.bins(),
          cell.roundTrip.bins(),
        ]);
      const streamed = createAggregator(by);
      for (const sample of [...samples].reverse()) {
        streamed.add(sample);
        if (samples.length < 8) streamed.cells();
      }
      expect(numbers(streamed.cells())).toEqual(numbers(aggregateSamples(samples, by)));
    }),
  );
});

test('cells come in key order with null last', () => {
  const samples = ['h2', null, 'http/1.1', 'h2'].map((protocol) => makeSample({ protocol }));
  const keys = aggregateSamples(samples, ['protocol']).map(({ key }) => key.protocol);
  expect(keys).toEqual(['h2', 'http/1.1', null]);
});

test('scenario is derived, and a sample that is none of the four has its own cell', () => {
  const samples = [
    makeSample(),
    makeSample({ scheme: 'http', connection: 'new' }),
    makeSample({ connection: 'cache' }),
  ];
  expect(aggregateSamples(samples, ['scenario']).map(({ key }) => key.scenario)).toEqual([
    'http-new',
    'https-reused',
    null,
  ]);
});

test('a hidden status is counted as hidden', () => {
  expect(only(aggregateSamples([makeSample({ status: null }), makeSample()], [])).status).toEqual({
    '(hidden)': 1,
    200: 1,
  });
});

test('a new connection with an unknown phase counts 0 in the gap and is counted', () => {
  const merged = makeSample({
    connection: 'new',
    times: { tcp: null, tls: 10_000, wait: 40_000 },
    unknown: { tcp: 'queued' },
  });
  const cell = only(aggregateSamples([merged, makeSample({ times: { wait: 1000 } })], []));
  expect(cell).toMatchObject({ setupUnknown: 1, complete: 2, unknown: { tcp: { queued: 1 } } });
  expect(cell.setupPerConnection.n).toBe(0);
  expect(cell.setupPerRequest.n).toBe(1);
  expect(cell.ttlbWithoutSetup.sum).toBe(51_000);
});

test('a connect whose border between TCP and TLS is unknown is still a known set-up', () => {
  const undivided = (given: Partial<StoredSample['times']>) =>
    makeSample({
      connection: 'new',
      times: { blocked: 1000, dns: 2000, tcp: null, tls: null, wait: 50_000, receive: 3000, ttlb: 136_000, ...given },
      unknown: { tcp: 'no_tls_stamp', tls: 'no_tls_stamp' },
    });
  const cell = only(aggregateSamples([undivided({}), undivided({ blocked: null })], []));
  expect(cell).toMatchObject({ setupUnknown: 1, setupPerConnection: { n: 1, sum: 82_000 } });
  expect(cell.ttlbWithoutSetup.sum).toBe(54_000 + 136_000);
  const told = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 40_000, wait: 50_000 } });
  const both = only(aggregateSamples([undivided({}), told], []));
  // It had a handshake, if not one whose time is known: it is no plain HTTP, which counts 0.
  expect(perRequestMean(both, 'tls')).toBe(40);
});

test('a set-up that is known as a whole is known, and complete', () => {
  const earlier = makeSample({
    connection: 'new',
    times: { blocked: 5000, tcp: null, tls: 42_000, wait: 50_000, receive: 1000, ttlb: 118_000 },
    unknown: { tcp: 'begun_earlier' },
  });
  const preconnected = makeSample({
    connection: 'new',
    times: { tcp: null, tls: 30_000, wait: 50_000 },
    unknown: { tcp: 'preconnected' },
  });
  const queued = makeSample({
    connection: 'new',
    times: { tcp: null, tls: 42_000, wait: 50_000, ttlb: 190_000 },
    unknown: { tcp: 'queued' },
  });
  const cell = only(aggregateSamples([earlier, preconnected, queued], []));
  expect(cell).toMatchObject({ setupUnknown: 1, complete: 2, unknown: { tcp: { begun_earlier: 1, queued: 1 } } });
  expect(cell.setupPerConnection.sum).toBe(62_000 + 30_000);
  expect(cell.serverShare.n).toBe(0);
});

test('what HTTP/3 merges and Firefox moves is still a known set-up', () => {
  const h3 = makeSample({
    connection: 'new',
    protocol: 'h3',
    times: { tcp: null, tls: 45_000 },
    unknown: { tcp: 'merged_h3' },
  });
  const firefox = makeSample({
    connection: 'new',
    scheme: 'http',
    times: { blocked: 9000, dns: null, tcp: 40_000, tls: null },
    unknown: { dns: 'firefox_dns', tls: 'plain_http' },
  });
  const cell = only(aggregateSamples([h3, firefox], []));
  expect(cell.setupUnknown).toBe(0);
  expect(cell.setupPerConnection.bins().map(({ from }) => from)).toEqual([40_000, 45_000]);
});

describe('a round trip is borrowed', () => {
  const opened = (client: string, site: string, tcp: number) =>
    makeSample({ connection: 'new', times: { tcp, tls: tcp, wait: 100_000 }, origin: { client, site } });
  const kept = (client: string, site: string) => makeSample({ times: { wait: 100_000 }, origin: { client, site } });

  test('from its site, else not at all', () => {
    const samples = [
      opened('a', 'berlin', 10_000),
      opened('a', 'berlin', 12_000),
      opened('a', 'berlin', 50_000),
      opened('b', 'berlin', 30_000),
      kept('a', 'berlin'),
      kept('c', 'berlin'),
      kept('d', 'osaka'),
      kept('e', ''),
    ];
    const cell = only(aggregateSamples(samples, []));
    expect(cell.reusedServerShare.basis).toEqual({ site: 2, none: 2 });
    expect(cell.reusedServerShare.share.bins().map(({ from }) => from)).toEqual([88_000]);
    expect(cell.reusedServerShare.share.n).toBe(2);
  });

  test('from connections of another cell, never from another host', () => {
    const other = makeSample({
      host: 'other.example.com',
      times: { wait: 9000 },
      origin: { client: 'a', site: 'berlin' },
    });
    const cells = aggregateSamples([opened('a', 'berlin', 40_000), kept('b', 'berlin'), other], ['host', 'connection']);
    const bases = cells.map(({ key, reusedServerShare }) => [key.host, key.connection, reusedServerShare.basis]);
    expect(bases).toContainEqual(['erp.example.com', 'reused', { site: 1, none: 0 }]);
    expect(bases).toContainEqual(['other.example.com', 'reused', { site: 0, none: 1 }]);
  });
});

test('with sketches the counts and sums are those of the exact answer', () => {
  fc.assert(
    fc.property(ARBITRARY_SAMPLES, (samples) => {
      const sketched = createAggregator(['host'], () => new Sketch());
      for (const sample of samples) sketched.add(sample);
      const sums = (cells: readonly CellAggregate[]) =>
        cells.map(({ times, serverShare }) => [
          times.ttlb.sum,
          times.ttlb.sumSquares,
          serverShare.sum,
          serverShare.min,
        ]);
      expect(sums(sketched.cells())).toEqual(sums(aggregateSamples(samples, ['host'])));
    }),
    { numRuns: 40 },
  );
  expect(sketchOf([1]).build().exact).toBe(false);
});

test('a request of unknown connection counts as one of unknown set-up, and its lookup is nowhere accounted for', () => {
  const strange = (dns: number) => makeSample({ connection: 'unknown', times: { dns, tcp: 0, tls: 0, wait: 50_000 } });
  const cell = only(aggregateSamples([strange(0), strange(20_000), makeSample({ times: { wait: 50_000 } })], []));
  expect(cell.setupUnknown).toBe(2);
  expect(cell.complete).toBe(2);
  expect(cell.times.dns.n).toBe(0);
});
