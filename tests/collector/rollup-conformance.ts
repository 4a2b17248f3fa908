import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aggregateSamples } from '../../collector/analysis/summary/aggregate-samples.ts';
import { decodeBatch, toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import type { CellAggregate } from '../../collector/reductions/cell-aggregate.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { SKETCH_BOUND } from '../../shared/statistics/sketch-buckets.ts';
import type { AggregateQuery } from '../../shared/vocabulary/dimensions.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { generateBatches } from '../bench/generate-samples.ts';
import { matchesFilters } from '../unit/summary/matches-filters.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';
import { pruneAll } from './prune-all.ts';
import type { Harness } from './store-conformance.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 1);
const SAMPLES = 52_000;
const DAYS = 3;
/** As a busy server stores batches. */
const APPENDED_TOGETHER = 20;

/** What every engine's rollups have to give, over more samples than are answered one by one. */
export function describeRollups(engine: string, harness: Harness): void {
  // 52,000 samples as objects beside their rollups: on a busy machine that takes a while.
  describe(`${engine}: rollups`, { timeout: 240_000 }, () => {
    test('whole months, days, ragged ranges and filters: within the bound of what the samples give', async () => {
      const { store, samples } = await filled(harness);
      await store.maintenance.finalize(START + 40 * DAY);
      for (const query of QUERIES) expectSame(await store.samples.aggregate(query), samples, query);
      expect(await store.maintenance.check()).toEqual([]);
      await store.close();
    });

    test('the same before anything is rolled up, half way, and with late samples', async () => {
      const { store, samples } = await filled(harness);
      const [query] = QUERIES;
      if (query === undefined) throw new Error('no query');
      expectSame(await store.samples.aggregate(query), samples, query);
      await store.maintenance.finalize(START + 40 * DAY);
      const late = batchAt(samples, START + HOUR / 2);
      await store.samples.append([late]);
      const all = [...samples, ...stored(late)];
      expectSame(await store.samples.aggregate(query), all, query);
      await store.maintenance.rollUp();
      expectSame(await store.samples.aggregate(query), all, query);
      await store.maintenance.finalize(START + 40 * DAY);
      expectSame(await store.samples.aggregate(query), all, query);
      await store.close();
    });

    test('exact answers are exact at every stage', async () => {
      const { store, samples } = await filled(harness);
      const query = { range: { from: START, to: START + DAYS * DAY }, filters: {}, by: ['type'] as const };
      const expected = aggregateSamples(samples, ['type']);
      for (const step of ['samples', 'rolled up', 'sealed'] as const) {
        if (step === 'rolled up') await store.maintenance.rollUp();
        if (step === 'sealed') await store.maintenance.finalize(START + 40 * DAY);
        const answer = await store.samples.distributions({ ...query, time: 'ttlb' }, { exact: true });
        expect(answer).toMatchObject({ exact: true, bound: 0, samples: SAMPLES });
        for (const { key, values } of answer.cells) {
          const truth = expected.find((cell) => cell.key.type === key.type)?.times.ttlb;
          expect(values.n).toBe(truth?.n);
          for (const q of [0, 0.5, 0.95, 1]) {
            const rank = quantileRank(q, values.n);
            expect(values.valueAtRank(rank)).toBe(truth?.valueAtRank(rank));
          }
        }
      }
      await store.close();
    });

    test('erasing a browser leaves what the others gave, and nothing of its own', async () => {
      const { store, samples } = await filled(harness);
      await store.maintenance.finalize(START + 40 * DAY);
      const client = samples[0]?.origin.client ?? '';
      const others = samples.filter(({ origin }) => origin.client !== client);
      const erased = await store.maintenance.erase({ client });
      expect(erased.samples).toBe(samples.length - others.length);
      for (const query of QUERIES) expectSame(await store.samples.aggregate(query), others, query);
      expect(await store.maintenance.check()).toEqual([]);
      expect(await store.maintenance.erase({ client })).toEqual({ samples: 0, days: 0, quarantined: 0 });
      await store.close();
    });

    test('hours before the first sample of a day are empty, not pruned', async () => {
      const { store, samples } = await filled(harness, { count: 500, start: START + 15 * HOUR, span: 20 * HOUR });
      const now = START + 36 * HOUR;
      await store.maintenance.finalize(now);
      await pruneAll(store, now, { sampleDays: 30, hourDays: 90, dayDays: 700, monthDays: null });
      const query = { range: { from: START + 12 * HOUR + 1, to: now }, filters: {}, by: [] };
      expectSame(await store.samples.aggregate(query), samples, query);
      await store.close();
    });

    test('samples past their time are gone; what was rolled up from them stays', async () => {
      const { store, samples } = await filled(harness);
      const now = START + 40 * DAY;
      await store.maintenance.finalize(now);
      await pruneAll(store, now, { sampleDays: 38, hourDays: 90, dayDays: 700, monthDays: null });
      let left = 0;
      for await (const block of store.samples.scan({ range: { from: 0, to: now }, filters: {} })) left += block.length;
      expect(left).toBe(samples.filter(({ at }) => at >= START + 2 * DAY).length);
      const gone = { range: { from: START + 1, to: START + 3 * DAY }, filters: {}, by: [] };
      await expect(store.samples.aggregate(gone)).rejects.toMatchObject({ code: 'samples_expired' });
      const whole = { ...gone, range: { from: START, to: START + 3 * DAY } };
      await expect(store.samples.aggregate(whole, { exact: true })).rejects.toMatchObject({ code: 'samples_expired' });
      const [query] = QUERIES;
      if (query === undefined) throw new Error('no query');
      expectSame(await store.samples.aggregate(query), samples, query);
      expect(await store.maintenance.check()).toEqual([]);
      await store.close();
    });
  });
}

const QUERIES: readonly AggregateQuery[] = [
  { range: { from: Date.UTC(2026, 2), to: Date.UTC(2026, 3) }, filters: {}, by: ['type', 'connection'] },
  {
    range: { from: START, to: START + 3 * DAY },
    filters: { type: ['document', 'script'] },
    by: ['scheme', 'scenario'],
  },
  {
    range: { from: START, to: START + 3 * DAY },
    filters: { 'not.type': ['document', 'font'], 'not.protocol': ['h2'] },
    by: ['connection'],
  },
  { range: { from: START + 5 * HOUR + 1234, to: START + 2 * DAY + 7 * HOUR + 4321 }, filters: {}, by: ['site'] },
];

async function filled(
  harness: Harness,
  { count = SAMPLES, start = START, span = DAYS * DAY - 60_000 } = {},
): Promise<{ store: Store; samples: readonly StoredSample[] }> {
  const { open } = await harness();
  const store = await open();
  const { batches, samples } = generated(count, start, span);
  for (let first = 0; first < batches.length; first += APPENDED_TOGETHER) {
    await store.samples.append(batches.slice(first, first + APPENDED_TOGETHER));
  }
  return { store, samples };
}

interface Generated {
  readonly batches: readonly AcceptedBatch[];
  readonly samples: readonly StoredSample[];
}

/** Most tests store the same samples. */
const known = new Map<string, Generated>();

function generated(count: number, start: number, span: number): Generated {
  const name = [count, start, span].join();
  const before = known.get(name);
  if (before !== undefined) return before;
  const batches = [...generateBatches(count, 3, start, span)].map((generated, index) => {
    const wire = index % 4 === 0 ? ofUnknownConnections(generated) : generated;
    const decoded = decodeBatch({ ...wire, batch: randomUUID() }, wire.sentAt);
    if (!decoded.ok) throw new Error(decoded.message);
    const { batchId: id, origin, clockCorrection, columns } = decoded;
    return { id, receivedAt: wire.sentAt, clockCorrection, origin, columns };
  });
  const made = { batches, samples: batches.flatMap(stored) };
  known.set(name, made);
  return made;
}

/** Of those that opened a connection it is no longer known that they did. */
function ofUnknownConnections(wire: WireBatch): WireBatch {
  const connection = wire.dictionaries.connection?.map((word) => (word === 'new' ? 'unknown' : word));
  return { ...wire, dictionaries: { ...wire.dictionaries, connection: connection ?? [] } };
}

function batchAt(samples: readonly StoredSample[], at: number): AcceptedBatch {
  const [first] = samples;
  if (first === undefined) throw new Error('no samples');
  const moved = samples.slice(0, 50).map(({ origin: _, ...sample }, i) => ({ ...sample, at: at + i }));
  return { id: randomUUID(), receivedAt: at, clockCorrection: 0, origin: first.origin, columns: toBatchColumns(moved) };
}

function stored({ origin, columns }: AcceptedBatch): StoredSample[] {
  return batchSamples(columns).map((sample) => ({ ...sample, origin }));
}

/** Counts and sums to the last bit, quantiles within the stated bound. */
function expectSame(
  answer: Awaited<ReturnType<Store['samples']['aggregate']>>,
  samples: readonly StoredSample[],
  { range, filters, by }: AggregateQuery,
): void {
  const inside = samples.filter((s) => s.at >= range.from && s.at < range.to && matchesFilters(s, filters));
  const expected = aggregateSamples(inside, by);
  expect(answer.bound).toBe(answer.exact ? 0 : SKETCH_BOUND);
  expect(answer.cells.map(countsOf)).toEqual(expected.map(countsOf));
  answer.cells.forEach((cell, i) => {
    const truth = expected[i];
    if (truth === undefined) return;
    // Both the waits and the round trips are within the bound.
    const trips = truth.waitRoundTrips ?? -1;
    expect(Math.abs((cell.waitRoundTrips ?? -1) - trips)).toBeLessThanOrEqual(2 * answer.bound * Math.max(0, trips));
    for (const name of ['dns', 'tcp', 'wait', 'ttlb'] as const) {
      const { n } = truth.times[name];
      for (const q of n === 0 ? [] : [0.25, 0.5, 0.95]) {
        const exact = truth.times[name].valueAtRank(quantileRank(q, n));
        const given = cell.times[name].valueAtRank(quantileRank(q, n));
        expect(Math.abs(given - exact)).toBeLessThanOrEqual(answer.bound * exact);
      }
    }
  });
}

function countsOf(cell: CellAggregate): object {
  const totals = Object.fromEntries(
    Object.entries(cell.times).map(([name, { n, sum, min, max, sumSquares }]) => [
      name,
      { n, sum, min, max, sumSquares },
    ]),
  );
  const { key, samples, browsers, evidence, connections, status, unknown, setupUnknown, complete, clockStep } = cell;
  const sums = [cell.setupPerConnection, cell.setupPerRequest, cell.ttlbWithoutSetup, cell.serverShare].map(
    ({ n, sum, sumSquares }) => ({ n, sum, sumSquares }),
  );
  return {
    key,
    samples,
    browsers,
    evidence,
    connections,
    status,
    unknown,
    setupUnknown,
    complete,
    clockStep,
    totals,
    sums,
    basis: cell.reusedServerShare.basis,
  };
}
