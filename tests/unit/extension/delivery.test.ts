import { beforeEach, describe, expect, test } from 'vitest';
import { Delivery, FRESH_DELIVERY } from '../../../extension/background/delivery.ts';
import { StateStore } from '../../../extension/background/local-state.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import {
  ENROLMENT,
  type FakeSurroundings,
  fakeSurroundings,
  MemoryQueue,
  memoryStorage,
  ORIGIN,
  sample,
} from './fakes.ts';

let outside: FakeSurroundings;
let queue: MemoryQueue;
let state: StateStore;
let delivery: Delivery;
/** Ids and rows of every batch that reached the collector, repeats included. */
let received: { id: string; n: number }[];

beforeEach(async () => {
  outside = fakeSurroundings();
  queue = new MemoryQueue();
  state = new StateStore(memoryStorage());
  delivery = new Delivery(queue, state, outside);
  received = [];
  await queue.add('g1', [sample(outside.time), sample(outside.time)], outside.time);
});

function stored(rejected: { row: number; code: string }[] = []) {
  return (body: string) => {
    const { batch, n } = JSON.parse(body) as WireBatch;
    received.push({ id: batch, n });
    return Response.json({ batch, duplicate: false, accepted: n - rejected.length, rejected });
  };
}

function refuses(status: number, code: string | null, headers: Record<string, string> = {}) {
  return () =>
    code === null
      ? new Response('<html>', { status, headers })
      : Response.json({ error: { code, message: '', hint: '' } }, { status, headers });
}

async function run() {
  await delivery.run(ENROLMENT, ORIGIN);
  return { ...FRESH_DELIVERY, ...(await state.read('delivery')) };
}

describe('Delivery', () => {
  test('sends what waits and says when', async () => {
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, lastSentAt: outside.time, lastError: null, failures: 0 });
    expect(await queue.count()).toBe(0);
    expect(outside.asked[0]?.url).toBe('http://collector.test/api/v1/batches');
    expect(outside.asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer k', 'content-encoding': 'gzip' });
  });

  test('sends the same batch id again when the answer was lost, also after a restart', async () => {
    outside.answers.push((body) => {
      stored()(body);
      throw new TypeError('connection reset');
    });
    const failed = await run();
    expect(failed).toMatchObject({ failures: 1, lastError: 'unreachable', sent: 0 });
    delivery = new Delivery(queue, state, outside);
    outside.time = failed.notBefore;
    outside.answers.push(stored());
    await run();
    expect(received).toHaveLength(2);
    expect(received[1]).toEqual(received[0]);
    expect(await queue.count()).toBe(0);
  });

  test.each([
    [503, 'busy'],
    [429, 'rate_limited'],
  ])('%i %s: keeps the batch, waits as long as Retry-After says, and sends nothing before', async (status, code) => {
    outside.answers.push(refuses(status, code, { 'retry-after': '120' }));
    expect(await run()).toMatchObject({ notBefore: outside.time + 120_000, lastError: code, dropped: {} });
    outside.time += 119_999;
    await run();
    expect(outside.asked).toHaveLength(1);
    outside.time += 1;
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, failures: 0 });
  });

  test('backs off longer each time, and not for longer than a quarter of an hour', async () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const { notBefore } = await run();
      waits.push(notBefore - outside.time);
      outside.time = notBefore;
    }
    expect(waits.slice(0, 3)).toEqual([1_500, 3_000, 6_000]);
    expect(Math.max(...waits)).toBe(0.75 * 15 * 60_000);
  });

  test('a collector that is back is not kept waiting, one that named a time is left alone', async () => {
    for (let attempt = 0; attempt < 9; attempt++) outside.time = (await run()).notBefore;
    expect((await run()).notBefore - outside.time).toBeGreaterThan(10 * 60_000);
    await delivery.collectorAnswered();
    outside.answers.push(refuses(503, 'busy', { 'retry-after': '120' }));
    await run();
    await delivery.collectorAnswered();
    const asked = outside.asked.length;
    await run();
    expect(outside.asked).toHaveLength(asked);
    outside.time += 120_000;
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, failures: 0 });
  });

  test('drops and counts a batch that the collector refuses for good, and goes on', async () => {
    outside.answers.push(refuses(413, 'batch_too_large'));
    expect(await run()).toMatchObject({ dropped: { batch_too_large: 2 }, lastError: 'batch_too_large' });
    expect(await queue.count()).toBe(0);
  });

  test('counts what had to go, and hears that the collector is back, while a batch is on its way', async () => {
    outside.answers.push(async () => {
      await queue.add('g2', [sample(outside.time), sample(outside.time), sample(outside.time)], outside.time);
      await Promise.all([delivery.makeRoom(), delivery.collectorAnswered(), delivery.trim()]);
      return refuses(413, 'batch_too_large')();
    });
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ dropped: { full: 3, batch_too_large: 2 }, failures: 0 });
  });

  test.each([
    [400, null],
    [404, null],
    [407, null],
    [413, null],
    [421, 'wrong_host'],
    [431, null],
    [451, null],
  ])('keeps the batch when %i %s says that something else is wrong', async (status, code) => {
    outside.answers.push(refuses(status, code));
    expect(await run()).toMatchObject({ failures: 1, dropped: {} });
    expect(await queue.count()).toBe(2);
  });

  test('stops at a refused key until the key is accepted or another', async () => {
    outside.answers.push(refuses(401, 'invalid_token'));
    expect(await run()).toMatchObject({ lastError: 'invalid_token' });
    await run();
    expect(outside.asked).toHaveLength(1);
    expect(await queue.count()).toBe(2);
    await delivery.collectorAnswered();
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, refused: null });
  });

  test('does not take the page of a captive portal for an answer', async () => {
    outside.answers.push(() => new Response('<html>Welcome to the hotel</html>'));
    expect(await run()).toMatchObject({ sent: 0, lastError: 'unreadable' });
    expect(await queue.count()).toBe(2);
  });

  test('counts rows that were rejected one by one', async () => {
    outside.answers.push(stored([{ row: 1, code: 'too_old' }]));
    expect(await run()).toMatchObject({ sent: 1, rejected: { too_old: 1 } });
  });

  test('drops what is older than a week, and counts it', async () => {
    outside.time += 7 * 24 * 3600 * 1000 + 1;
    expect(await run()).toMatchObject({ dropped: { full: 2 } });
    expect(outside.asked).toHaveLength(0);
  });

  test('is not silenced by a clock that was set back', async () => {
    await run();
    outside.time -= 30 * 24 * 3600 * 1000;
    outside.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2 });
  });

  test('two calls at once send once', async () => {
    outside.answers.push(stored());
    await Promise.all([run(), run()]);
    expect(received).toHaveLength(1);
  });

  test('drops the oldest past the limit in bytes, long before that in rows', async () => {
    const long = { ...sample(outside.time), template: `/${'x'.repeat(9_000_000)}` };
    for (const name of ['g2', 'g3', 'g4', 'g5']) await queue.add(name, [long], outside.time);
    expect(await run()).toMatchObject({ dropped: { full: 3 } }); // the two short ones are older
    expect(await queue.count()).toBe(3);
  });

  test('makes room on a full disk by the older half, counted', async () => {
    await queue.add('g2', [sample(outside.time), sample(outside.time)], outside.time);
    expect(await delivery.makeRoom()).toBe(true);
    expect(await queue.count()).toBe(2);
    expect(await state.read('delivery')).toMatchObject({ dropped: { full: 2 } });
    queue.groups = [];
    expect(await delivery.makeRoom()).toBe(false);
  });

  test('the sealed batch counts neither towards the limit in rows nor towards the half that makes room', async () => {
    const rows = (count: number) => Array.from({ length: count }, () => sample(outside.time));
    await run(); // fails: the first two are sealed
    await queue.add('g2', rows(25_000), outside.time);
    await queue.add('g3', rows(25_000), outside.time);
    await delivery.trim();
    expect(await queue.countUnsealed()).toBe(50_000);
    await queue.add('g4', rows(1), outside.time);
    await delivery.trim();
    expect(await queue.countUnsealed()).toBe(25_001);
    queue.groups = [
      { at: outside.time, samples: rows(1) },
      { at: outside.time, samples: rows(1) },
    ];
    expect(await delivery.makeRoom()).toBe(true);
    expect(await queue.countUnsealed()).toBe(1);
  });

  test('does not send samples of the future after the clock was set back', async () => {
    outside.time -= 3_600_000;
    let at: unknown;
    outside.answers.push((body) => {
      at = (JSON.parse(body) as WireBatch).columns.at;
      return stored()(body);
    });
    await run();
    expect(at).toEqual([outside.time, 0]);
  });
});
