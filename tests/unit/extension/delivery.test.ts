import { beforeEach, describe, expect, test } from 'vitest';
import { Delivery, FRESH_DELIVERY } from '../../../extension/background/delivery.ts';
import type { LocalState, LocalStore } from '../../../extension/background/local-state.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import {
  ENROLMENT,
  type FakeEnvironment,
  fakeEnvironment,
  MemoryQueue,
  memoryStorage,
  ORIGIN,
  sample,
} from './fakes.ts';

let environment: FakeEnvironment;
let queue: MemoryQueue;
let state: LocalStore;
let delivery: Delivery;
/** Ids and rows of every batch that reached the collector, repeats included. */
let received: { id: string; n: number }[];

beforeEach(async () => {
  environment = fakeEnvironment();
  queue = new MemoryQueue();
  state = new StateStore<LocalState>(memoryStorage());
  delivery = new Delivery(queue, state, environment);
  received = [];
  await queue.add('g1', [sample(environment.time), sample(environment.time)], environment.time);
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
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, lastSentAt: environment.time, lastError: null, failures: 0 });
    expect(await queue.count()).toBe(0);
    expect(environment.asked[0]?.url).toBe('http://collector.test/api/v1/batches');
    expect(environment.asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer k', 'content-encoding': 'gzip' });
  });

  test('sends the same batch id again when the answer was lost, also after a restart', async () => {
    environment.answers.push((body) => {
      stored()(body);
      throw new TypeError('connection reset');
    });
    const failed = await run();
    expect(failed).toMatchObject({ failures: 1, lastError: 'unreachable', sent: 0 });
    delivery = new Delivery(queue, state, environment);
    environment.time = failed.notBefore;
    environment.answers.push(stored());
    await run();
    expect(received).toHaveLength(2);
    expect(received[1]).toEqual(received[0]);
    expect(await queue.count()).toBe(0);
  });

  test.each([
    [503, 'busy'],
    [429, 'rate_limited'],
  ])('%i %s: keeps the batch, waits as long as Retry-After says, and sends nothing before', async (status, code) => {
    environment.answers.push(refuses(status, code, { 'retry-after': '120' }));
    expect(await run()).toMatchObject({ notBefore: environment.time + 120_000, lastError: code, dropped: {} });
    environment.time += 119_999;
    await run();
    expect(environment.asked).toHaveLength(1);
    environment.time += 1;
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, failures: 0 });
  });

  test('backs off longer each time, and not for longer than a quarter of an hour', async () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const { notBefore } = await run();
      waits.push(notBefore - environment.time);
      environment.time = notBefore;
    }
    expect(waits.slice(0, 3)).toEqual([1_500, 3_000, 6_000]);
    expect(Math.max(...waits)).toBe(0.75 * 15 * 60_000);
  });

  test('a collector that is back is not kept waiting, one that named a time is left alone', async () => {
    for (let attempt = 0; attempt < 9; attempt++) environment.time = (await run()).notBefore;
    expect((await run()).notBefore - environment.time).toBeGreaterThan(10 * 60_000);
    await delivery.collectorAnswered();
    environment.answers.push(refuses(503, 'busy', { 'retry-after': '120' }));
    await run();
    await delivery.collectorAnswered();
    const asked = environment.asked.length;
    await run();
    expect(environment.asked).toHaveLength(asked);
    environment.time += 120_000;
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, failures: 0 });
  });

  test('drops and counts a batch that the collector refuses for good, and goes on', async () => {
    environment.answers.push(refuses(413, 'batch_too_large'));
    expect(await run()).toMatchObject({ dropped: { batch_too_large: 2 }, lastError: 'batch_too_large' });
    expect(await queue.count()).toBe(0);
  });

  test('counts what had to go, and hears that the collector is back, while a batch is on its way', async () => {
    environment.answers.push(async () => {
      await queue.add(
        'g2',
        [sample(environment.time), sample(environment.time), sample(environment.time)],
        environment.time,
      );
      await Promise.all([delivery.makeRoom(), delivery.collectorAnswered(), delivery.trim()]);
      return refuses(413, 'batch_too_large')();
    });
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ dropped: { full: 3, batch_too_large: 2 }, failures: 0 });
  });

  test.each([
    [400, null],
    [404, null],
    [407, null],
    [413, null],
    [415, null],
    [421, 'wrong_host'],
    [431, null],
    [451, null],
  ])('keeps the batch when %i %s says that something else is wrong', async (status, code) => {
    environment.answers.push(refuses(status, code));
    expect(await run()).toMatchObject({ failures: 1, dropped: {} });
    expect(await queue.count()).toBe(2);
  });

  test('stops at a refused key until the key is accepted or another', async () => {
    environment.answers.push(refuses(401, 'invalid_token'));
    expect(await run()).toMatchObject({ lastError: 'invalid_token' });
    await run();
    expect(environment.asked).toHaveLength(1);
    expect(await queue.count()).toBe(2);
    await delivery.collectorAnswered();
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2, refused: null });
  });

  test('does not take the page of a captive portal for an answer', async () => {
    environment.answers.push(() => new Response('<html>Welcome to the hotel</html>'));
    expect(await run()).toMatchObject({ sent: 0, lastError: 'unreadable' });
    expect(await queue.count()).toBe(2);
  });

  test('counts rows that were rejected one by one', async () => {
    environment.answers.push(stored([{ row: 1, code: 'too_old' }]));
    expect(await run()).toMatchObject({ sent: 1, rejected: { too_old: 1 } });
  });

  test('drops what is older than a week, and counts it', async () => {
    environment.time += 7 * 24 * 3600 * 1000 + 1;
    expect(await run()).toMatchObject({ dropped: { full: 2 } });
    expect(environment.asked).toHaveLength(0);
  });

  test('is not silenced by a clock that was set back', async () => {
    await run();
    environment.time -= 30 * 24 * 3600 * 1000;
    environment.answers.push(stored());
    expect(await run()).toMatchObject({ sent: 2 });
  });

  test('two calls at once send once', async () => {
    environment.answers.push(stored());
    await Promise.all([run(), run()]);
    expect(received).toHaveLength(1);
  });

  test('drops the oldest past the limit in bytes, long before that in rows', async () => {
    const long = { ...sample(environment.time), template: `/${'x'.repeat(9_000_000)}` };
    for (const name of ['g2', 'g3', 'g4', 'g5']) await queue.add(name, [long], environment.time);
    expect(await run()).toMatchObject({ dropped: { full: 3 } }); // the two short ones are older
    expect(await queue.count()).toBe(3);
  });

  test('makes room on a full disk by the older half, counted', async () => {
    await queue.add('g2', [sample(environment.time), sample(environment.time)], environment.time);
    expect(await delivery.makeRoom()).toBe(true);
    expect(await queue.count()).toBe(2);
    expect(await state.read('delivery')).toMatchObject({ dropped: { full: 2 } });
    queue.groups = [];
    expect(await delivery.makeRoom()).toBe(false);
  });

  test('the finalized batch counts neither towards the limit in rows nor towards the half that makes room', async () => {
    const rows = (count: number) => Array.from({ length: count }, () => sample(environment.time));
    await run(); // fails: the first two are sealed
    await queue.add('g2', rows(25_000), environment.time);
    await queue.add('g3', rows(25_000), environment.time);
    await delivery.trim();
    expect(await queue.countDroppable()).toBe(50_000);
    await queue.add('g4', rows(1), environment.time);
    await delivery.trim();
    expect(await queue.countDroppable()).toBe(25_001);
    queue.groups = [
      { at: environment.time, samples: rows(1) },
      { at: environment.time, samples: rows(1) },
    ];
    expect(await delivery.makeRoom()).toBe(true);
    expect(await queue.countDroppable()).toBe(1);
  });

  test('does not send samples of the future after the clock was set back', async () => {
    environment.time -= 3_600_000;
    let at: unknown;
    environment.answers.push((body) => {
      at = (JSON.parse(body) as WireBatch).columns.at;
      return stored()(body);
    });
    await run();
    expect(at).toEqual([environment.time, 0]);
  });
});
