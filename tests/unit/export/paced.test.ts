import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventLoopScheduler, paced } from '../../../collector/exchange/export/paced.ts';

/** A byte takes 100 ms at this rate. */
const PACE = { graceMs: 900, minBytesPerS: 10 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 3; i++) {
    // However long it takes to find them.
    vi.advanceTimersByTime(10_000);
    yield Uint8Array.of(i);
  }
}

test('a reader who takes nothing for too long is told of; one who reads, however slow we are, is not', async () => {
  const tooSlow = vi.fn();
  const reader = paced(pieces(), PACE, tooSlow, createEventLoopScheduler());
  for (let i = 0; i < 3; i++) expect((await reader.next()).value).toEqual(Uint8Array.of(i));
  expect((await reader.next()).done).toBe(true);
  expect(tooSlow).not.toHaveBeenCalled();

  const other = paced(pieces(), PACE, tooSlow, createEventLoopScheduler());
  await other.next();
  vi.advanceTimersByTime(999);
  expect(tooSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(tooSlow).toHaveBeenCalledOnce();
  await other.return(undefined);
});

test('nothing is waited for once the reader has gone', async () => {
  const tooSlow = vi.fn();
  const reader = paced(pieces(), PACE, tooSlow, createEventLoopScheduler());
  await reader.next();
  await reader.return(undefined);
  vi.advanceTimersByTime(5000);
  expect(tooSlow).not.toHaveBeenCalled();
});

test('a reader who takes a little just in time is reported, and taking much at once earns no credit', async () => {
  const tooSlow = vi.fn();
  async function* many(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1_000_000);
    for (;;) yield Uint8Array.of(1);
  }
  const reader = paced(many(), PACE, tooSlow, createEventLoopScheduler());
  await reader.next();
  for (let taken = 0; taken < 2; taken++) {
    await reader.next();
    vi.advanceTimersByTime(500);
    expect(tooSlow).not.toHaveBeenCalled();
  }
  // 900 ms to spare, 400 ms lost with each.
  await reader.next();
  vi.advanceTimersByTime(500);
  expect(tooSlow).toHaveBeenCalledOnce();
  await reader.return(undefined);
});

test('exports that run at once make one piece in a turn of the event loop, all in turn', async () => {
  const yieldToEventLoop = createEventLoopScheduler();
  const made = [0, 0, 0, 0];
  let inThisTurn = 0;
  let mostInATurn = 0;
  async function* endless(place: number): AsyncGenerator<Uint8Array> {
    for (;;) {
      made[place] = (made[place] as number) + 1;
      mostInATurn = Math.max(mostInATurn, ++inThisTurn);
      yield Uint8Array.of(place);
    }
  }
  const readers = made.map((_, place) => paced(endless(place), PACE, () => {}, yieldToEventLoop));
  for (const reader of readers) {
    await reader.next();
    inThisTurn = 0;
  }
  mostInATurn = 0;
  let reading = true;
  const read = readers.map(async (reader) => {
    while (reading) await reader.next();
  });
  for (let turn = 0; turn < 40; turn++) {
    inThisTurn = 0;
    await setImmediate();
  }
  const most = mostInATurn;
  reading = false;
  await Promise.all(read);
  expect(most).toBe(1);
  expect(Math.max(...made) - Math.min(...made)).toBeLessThanOrEqual(1);
  expect(Math.min(...made)).toBeGreaterThan(5);
});
