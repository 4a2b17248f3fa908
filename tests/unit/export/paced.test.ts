import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paced } from '../../../collector/export/paced.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
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
  const stalled = vi.fn();
  const reader = paced(pieces(), 1000, stalled);
  for (let i = 0; i < 3; i++) expect((await reader.next()).value).toEqual(Uint8Array.of(i));
  expect((await reader.next()).done).toBe(true);
  expect(stalled).not.toHaveBeenCalled();

  const other = paced(pieces(), 1000, stalled);
  await other.next();
  vi.advanceTimersByTime(999);
  expect(stalled).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(stalled).toHaveBeenCalledOnce();
  await other.return(undefined);
});

test('nothing is waited for once the reader has gone', async () => {
  const stalled = vi.fn();
  const reader = paced(pieces(), 1000, stalled);
  await reader.next();
  await reader.return(undefined);
  vi.advanceTimersByTime(5000);
  expect(stalled).not.toHaveBeenCalled();
});
