import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aggregateSamples } from '../../collector/analysis/summary/aggregate-samples.ts';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { Sample, StoredSample } from '../../shared/sample/sample.ts';
import type { Filters } from '../../shared/vocabulary/dimensions.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';
import { describeControl } from './control-conformance.ts';

/** Opens a store over data that outlive it: `open` twice in one test gives the same data again. */
export type Harness = () => Promise<{ open(): Promise<Store> }>;

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const ALL = { range: { from: 0, to: 8e15 }, filters: {} };

/** What every engine has to do, whatever it is made of. */
export function describeStore(engine: string, harness: Harness): void {
  describe(`${engine}: samples`, () => {
    test('what was appended is there after closing and opening again, with the origin it came from', async () => {
      const { open } = await harness();
      const first = await open();
      const batches = [batchOf([at(0), at(1)]), { ...batchOf([at(2)]), origin: { ...ORIGIN, site: 'Ulm' } }];
      await first.samples.append(batches);
      await first.close();
      const second = await open();
      expect(await all(second)).toEqual(
        batches.flatMap(({ origin, columns }) => batchSamples(columns).map((s) => ({ ...s, origin }))),
      );
      await second.close();
    });

    test('a batch is stored once, whether it comes again later, at once or after a restart', async () => {
      const { open } = await harness();
      const store = await open();
      const [one, two] = [batchOf([at(0)]), batchOf([at(1)])];
      const outcomes = await store.samples.append([one, two, one]);
      expect(outcomes.map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
      expect(await store.samples.append([two])).toEqual([{ id: two.id, duplicate: true }]);
      await store.close();
      const again = await open();
      expect(await again.samples.append([one])).toEqual([{ id: one.id, duplicate: true }]);
      expect(await all(again)).toHaveLength(2);
      await again.close();
    });

    test('a batch none of whose rows were accepted is known all the same', async () => {
      const store = await openOne(harness);
      const empty = batchOf([]);
      expect(await store.samples.append([empty])).toEqual([{ id: empty.id, duplicate: false }]);
      expect(await store.samples.append([empty])).toEqual([{ id: empty.id, duplicate: true }]);
      expect(await all(store)).toEqual([]);
    });

    test('bodies are judged one by one and stored together', async () => {
      const store = await openOne(harness);
      const id = randomUUID();
      const good = bodyOf([at(0), at(-0.5)], id);
      const partly = JSON.parse(good.toString());
      partly.batch = randomUUID();
      partly.columns.status[1] = 9000;
      const wrong = Buffer.from(good.toString().replace('"version":1', '"version":2'));
      const large = Buffer.concat([good, Buffer.alloc(2 ** 16, ' ')]);
      const bodies = [good, large, wrong, good, Buffer.from(JSON.stringify(partly)), bodyOf([])];
      const outcomes = await createIngestBodies(store.samples)(
        bodies.map((bytes) => ({ bytes, receivedAt: START, key: 'key-1' })),
      );
      expect(outcomes).toMatchObject([
        { ok: true, answer: { batch: id, duplicate: false, accepted: 2, rejected: [] } },
        { ok: true, answer: { batch: id, duplicate: true, accepted: 0 } },
        { ok: false, code: 'unsupported_version' },
        { ok: true, answer: { batch: id, duplicate: true, accepted: 0 } },
        { ok: true, answer: { duplicate: false, accepted: 1, rejected: [{ row: 1, code: 'bad_status' }] } },
        { ok: true, answer: { duplicate: false, accepted: 0 } },
      ]);
      expect((await all(store)).map(({ at: time }) => time)).toEqual([START - HOUR / 2, START, START]);
      expect(await store.samples.append([{ ...batchOf([at(1)]), id }])).toEqual([{ id, duplicate: true }]);
    });

    test('if one batch cannot be stored, none of the call is', async () => {
      const store = await openOne(harness);
      const broken = { ...batchOf([at(1)]), receivedAt: Symbol('no time') as never };
      await expect(store.samples.append([batchOf([at(0)]), broken])).rejects.toMatchObject({ name: 'StoreError' });
      expect(await all(store)).toEqual([]);
    });

    test('a range includes its start and excludes its end', async () => {
      const store = await openOne(harness);
      await store.samples.append([batchOf([at(0), at(1), at(2), at(3)])]);
      const range = { from: START + HOUR, to: START + 3 * HOUR };
      expect((await collect(store, { range, filters: {} })).map((s) => s.at)).toEqual([START + HOUR, START + 2 * HOUR]);
    });

    test('samples come oldest first, late ones in their place', async () => {
      const store = await openOne(harness);
      for (const hours of [[5, 9], [1, 7], [6], [0, 8, 2]]) await store.samples.append([batchOf(hours.map(at))]);
      expect((await all(store)).map((s) => (s.at - START) / HOUR)).toEqual([0, 1, 2, 5, 6, 7, 8, 9]);
    });

    test('one call with many samples is read back whole, in blocks of at most 5,000', async () => {
      const store = await openOne(harness);
      const rows = Array.from({ length: 4000 }, () => at(0));
      await store.samples.append([batchOf(rows), batchOf(rows), batchOf(rows)]);
      const sizes: number[] = [];
      for await (const block of store.samples.scan(ALL)) sizes.push(block.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(5000);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12_000);
    });

    test('filters: any value of one dimension, all dimensions', async () => {
      const store = await openOne(harness);
      await store.samples.append([
        batchOf([
          { ...at(0), host: 'a.example', type: 'script' },
          { ...at(1), host: 'b.example', type: 'script' },
          { ...at(2), host: 'b.example', type: 'image' },
          { ...at(3), host: 'c.example', type: 'script' },
        ]),
      ]);
      const filters = { host: ['b.example', 'c.example'], type: ['script'] };
      expect((await collect(store, { ...ALL, filters })).map((s) => s.host)).toEqual(['b.example', 'c.example']);
    });

    test('exclusions: none of the values, and samples without a value pass', async () => {
      const store = await openOne(harness);
      await store.samples.append([
        batchOf([
          { ...at(0), host: 'a.example', protocol: 'h2' },
          { ...at(1), host: 'b.example', protocol: null },
          { ...at(2), host: 'c.example', protocol: 'h2' },
          { ...at(3), host: 'c.example', protocol: 'h3' },
        ]),
      ]);
      const hostsOf = async (filters: Filters) => (await collect(store, { ...ALL, filters })).map((s) => s.host);
      expect(await hostsOf({ 'not.host': ['a.example', 'b.example'] })).toEqual(['c.example', 'c.example']);
      expect(await hostsOf({ 'not.protocol': ['h2'] })).toEqual(['b.example', 'c.example']);
      expect(await hostsOf({ 'not.protocol': ['h2'], host: ['c.example'] })).toEqual(['c.example']);
      expect(await hostsOf({ host: ['a.example', 'c.example'], 'not.host': ['a.example'] })).toHaveLength(2);
    });

    test('an aggregate is that of its samples', async () => {
      const store = await openOne(harness);
      const samples = Array.from({ length: 60 }, (_, i) => ({
        ...at(i),
        host: i % 3 === 0 ? 'a.example' : 'b.example',
      }));
      for (const part of [0, 20, 40]) await store.samples.append([batchOf(samples.slice(part, part + 20))]);
      const range = { from: START + 10 * HOUR, to: START + 50 * HOUR };
      const answer = await store.samples.aggregate({ range, filters: { host: ['a.example'] }, by: ['host'] });
      const behind = samples.slice(10, 50).filter(({ host }) => host === 'a.example');
      const [expected] = aggregateSamples(
        behind.map((sample) => ({ ...sample, origin: ORIGIN })),
        ['host'],
      );
      const [cell, ...others] = answer.cells;
      expect(others).toEqual([]);
      expect(cell).toMatchObject({ key: { host: 'a.example' }, samples: behind.length, evidence: expected?.evidence });
      expect(cell?.times.ttlb.sum).toBe(expected?.times.ttlb.sum);
      if (answer.exact) expect(answer.bound).toBe(0);
      else expect(answer.bound).toBeGreaterThan(0);
    });

    test('the hash is that of the data: the same after a restart and in any order, another with one batch more', async () => {
      const [one, two, three] = [batchOf([at(0)]), batchOf([at(1)]), batchOf([at(2)])];
      const { open } = await harness();
      const store = await open();
      await store.samples.append([one]);
      await store.samples.append([two]);
      const hash = await hashOf(store);
      await store.close();
      const again = await open();
      expect(await hashOf(again)).toBe(hash);
      await again.samples.append([three]);
      expect(await hashOf(again)).not.toBe(hash);
      await again.close();

      const other = await openOne(harness);
      await other.samples.append([two, one]);
      expect(await hashOf(other)).toBe(hash);
    });

    test('appending while an answer is read harms neither', async () => {
      const store = await openOne(harness);
      const many = Array.from({ length: 3000 }, (_, i) => ({ ...at(0), at: START + i }));
      for (let part = 0; part < 3000; part += 500) await store.samples.append([batchOf(many.slice(part, part + 500))]);
      const answer = store.samples.aggregate({ ...ALL, by: [] });
      await store.samples.append([batchOf([at(1)])]);
      expect((await answer).cells[0]?.samples).toBeGreaterThanOrEqual(3000);
      expect(await all(store)).toHaveLength(3001);
    });
  });

  describeControl(engine, harness);

  test(`${engine}: it is ready while open, and closing twice is harmless`, async () => {
    const { open } = await harness();
    const store = await open();
    await store.ready();
    await store.close();
    await store.close();
    await expect(store.ready()).rejects.toMatchObject({ name: 'StoreError' });
  });
}

const opened: Store[] = [];

async function openOne(harness: Harness): Promise<Store> {
  const store = await (await harness()).open();
  opened.push(store);
  return store;
}

/** Call it after each test of the suite. */
export async function closeAll(): Promise<void> {
  for (const store of opened.splice(0)) await store.close();
}

function at(hour: number): Sample {
  return { ...PLAIN_SAMPLE, at: START + hour * HOUR };
}

function batchOf(samples: readonly Sample[]): AcceptedBatch {
  return { id: randomUUID(), receivedAt: START, clockCorrection: 0, origin: ORIGIN, columns: toBatchColumns(samples) };
}

/** As it comes over the wire. */
function bodyOf(samples: readonly Sample[], id: string = randomUUID()): Buffer {
  return Buffer.from(JSON.stringify(encodeBatch(ORIGIN, id, START, samples)));
}

async function collect(store: Store, query: Parameters<Store['samples']['scan']>[0]): Promise<StoredSample[]> {
  const found: StoredSample[] = [];
  for await (const block of store.samples.scan(query)) found.push(...block);
  return found;
}

const all = (store: Store) => collect(store, ALL);
const hashOf = async (store: Store) => (await store.samples.aggregate({ ...ALL, by: [] })).dataHash;
