import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from '../../../collector/export/paced.ts';

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
  const reader = paced(pieces(), PACE, tooSlow);
  for (let i = 0; i < 3; i++) expect((await reader.next()).value).toEqual(Uint8Array.of(i));
  expect((await reader.next()).done).toBe(true);
  expect(tooSlow).not.toHaveBeenCalled();

  const other = paced(pieces(), PACE, tooSlow);
  await other.next();
  vi.advanceTimersByTime(999);
  expect(tooSlow).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(tooSlow).toHaveBeenCalledOnce();
  await other.return(undefined);
});

test('nothing is waited for once the reader has gone', async () => {
  const tooSlow = vi.fn();
  const reader = paced(pieces(), PACE, tooSlow);
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
  const reader = paced(many(), PACE, tooSlow);
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
