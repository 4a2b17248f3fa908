import { describe, expect, it } from 'vitest';
import { createQueryCache } from '../../../collector/dashboard/query-cache/query-cache.ts';
import { byHand } from './by-hand.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp() {
  let time = 1_000_000;
  const cache = createQueryCache(() => time);
  return {
    cache,
    state: (key = 'a') => cache.stateOf<string>(key).value,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('query cache', () => {
  it('sends one request for two subscribers, however often a refresh is due meanwhile', async () => {
    const { cache, state, pass } = setUp();
    const { asked, read } = byHand<string>();
    cache.subscribe('a', read);
    cache.subscribe('a', read);
    cache.refresh('all');
    expect(asked).toHaveLength(1);
    asked[0]?.answer('numbers');
    await settled();
    expect(state()).toEqual({ kind: 'ready', last: { value: 'numbers', at: 1_000_000 } });
    pass(60_000);
    cache.subscribe('a', read);
    expect(asked).toHaveLength(1);
  });

  it('continues a prefetched query, and repeats one whose prefetch failed', async () => {
    const { cache, state } = setUp();
    const ahead = byHand<string>();
    const own = byHand<string>();
    cache.prefetch('a', ahead.read);
    cache.subscribe('a', own.read);
    expect([ahead.asked.length, own.asked.length]).toEqual([1, 0]);
    ahead.asked[0]?.answer('prefetched');
    await settled();
    expect(state()).toMatchObject({ kind: 'ready', last: { value: 'prefetched' } });
    cache.prefetch('b', ahead.read);
    ahead.asked[1]?.fail(new Error('signed out'));
    await settled();
    expect(cache.status.value).toMatchObject({ failed: false, denied: false });
    cache.subscribe('b', own.read);
    expect(own.asked).toHaveLength(1);
  });

  it('aborts a request without subscribers, and continues it if another subscribes in the same turn', async () => {
    const { cache } = setUp();
    const { asked, read } = byHand<string>();
    const first = cache.subscribe('a', read);
    first.stop();
    const second = cache.subscribe('a', read);
    await settled();
    expect(asked[0]?.signal.aborted).toBe(false);
    second.stop();
    await settled();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('shows the last value at once on return, and refreshes it when it is stale', async () => {
    const { cache, state, pass } = setUp();
    const { asked, read } = byHand<string>();
    const subscription = cache.subscribe('a', read);
    asked[0]?.answer('old');
    await settled();
    subscription.stop();
    cache.subscribe('a', read).stop();
    expect(asked).toHaveLength(1);
    pass(60_000);
    cache.subscribe('a', read);
    expect(asked).toHaveLength(2);
    expect(state()).toMatchObject({ kind: 'loading', last: { value: 'old', at: 1_000_000 } });
  });

  it('repeats a slow query only once it has rested, or after a failure', async () => {
    const { cache, pass } = setUp();
    const { asked, read } = byHand<string>();
    const subscription = cache.subscribe('a', read);
    pass(3000);
    asked[0]?.answer('took 3 s');
    await settled();
    subscription.stop();
    pass(59_000);
    const again = cache.subscribe('a', read);
    expect(asked).toHaveLength(1);
    again.refresh();
    asked[1]?.fail(new Error('down'));
    await settled();
    again.stop();
    pass(11_000);
    cache.subscribe('a', read);
    expect(asked).toHaveLength(3);
  });

  it('keeps the last value when a refresh fails, and drops an answer that a newer request replaced', async () => {
    const { cache, state } = setUp();
    const { asked, read } = byHand<string>();
    const subscription = cache.subscribe('a', read);
    subscription.refresh();
    asked[0]?.answer('overtaken');
    asked[1]?.answer('newest');
    await settled();
    expect(state()).toMatchObject({ kind: 'ready', last: { value: 'newest' } });
    const error = new Error('down');
    subscription.refresh();
    asked[2]?.fail(error);
    await settled();
    expect(state()).toEqual({ kind: 'failed', error, last: { value: 'newest', at: 1_000_000 } });
    expect(cache.status.value).toEqual({
      loading: false,
      oldest: 1_000_000,
      newest: 1_000_000,
      failed: true,
      error,
      denied: false,
    });
  });

  it('rereads even while a request is running, and keeps the last value until then', async () => {
    const { cache, state } = setUp();
    const { asked, read } = byHand<string>();
    cache.reread('a');
    cache.subscribe('a', read);
    cache.reread('a');
    expect([asked.length, asked[0]?.signal.aborted]).toEqual([2, true]);
    asked[0]?.answer('before the change');
    asked[1]?.answer('after it');
    await settled();
    cache.reread('a');
    expect(state()).toMatchObject({ kind: 'loading', last: { value: 'after it' } });
  });

  it('cancels on request and reports progress', async () => {
    const { cache, state } = setUp();
    const { asked, read } = byHand<string>();
    const subscription = cache.subscribe('a', read);
    asked[0]?.report(0.4);
    expect(state()).toMatchObject({ kind: 'loading', progress: 0.4 });
    subscription.cancel();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(state()).toEqual({ kind: 'cancelled', last: null });
  });

  it('rests longer after a slow query', async () => {
    const { cache, pass } = setUp();
    const { asked, read } = byHand<string>();
    cache.subscribe('slow', read);
    pass(5_000);
    asked[0]?.answer('numbers');
    await settled();
    pass(60_000);
    cache.refresh('rested');
    expect(asked).toHaveLength(1);
    pass(60_000);
    cache.refresh('rested');
    expect(asked).toHaveLength(2);
  });
});
