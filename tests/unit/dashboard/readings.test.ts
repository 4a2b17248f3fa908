import { describe, expect, it } from 'vitest';
import type { Read, Reading } from '../../../collector/dashboard/readings/reading.ts';
import { createReadings } from '../../../collector/dashboard/readings/readings.ts';

/** A read that is answered by hand. */
function byHand<Value>() {
  const asked: {
    answer(value: Value): void;
    fail(error: unknown): void;
    report(part: number): void;
    signal: AbortSignal;
  }[] = [];
  const read: Read<Value> = (signal, report) =>
    new Promise((resolve, reject) => asked.push({ answer: resolve, fail: reject, report, signal }));
  return { asked, read };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function setUp() {
  let time = 1_000_000;
  const readings = createReadings(
    () => time,
    () => {},
  );
  const seen: Reading<string>[] = [];
  return {
    readings,
    seen,
    last: () => seen.at(-1),
    note: (reading: Reading<string>) => void seen.push(reading),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('readings', () => {
  it('reads once for two who watch the same, and tells both', async () => {
    const { readings, seen, note } = setUp();
    const { asked, read } = byHand<string>();
    readings.watch('a', read, note);
    readings.watch('a', read, (reading) => seen.push(reading));
    expect(asked).toHaveLength(1);
    asked[0]?.answer('numbers');
    await settled();
    expect(seen.slice(-2)).toEqual([
      { kind: 'ready', last: { value: 'numbers', at: 1_000_000 } },
      { kind: 'ready', last: { value: 'numbers', at: 1_000_000 } },
    ]);
  });

  it('goes on with what was begun ahead, and asks again where that failed', async () => {
    const { readings, note, last } = setUp();
    const ahead = byHand<string>();
    const own = byHand<string>();
    readings.ahead('a', ahead.read);
    readings.watch('a', own.read, note);
    expect([ahead.asked.length, own.asked.length]).toEqual([1, 0]);
    ahead.asked[0]?.answer('begun early');
    await settled();
    expect(last()).toMatchObject({ kind: 'ready', last: { value: 'begun early' } });
    readings.ahead('b', ahead.read);
    ahead.asked[1]?.fail(new Error('nobody is signed in'));
    await settled();
    expect(readings.overall()).toMatchObject({ failed: false, denied: false });
    readings.watch('b', own.read, note);
    expect(own.asked).toHaveLength(1);
  });

  it('gives up what nobody watches any more, and goes on where another watches before the first leaves', async () => {
    const { readings, note } = setUp();
    const { asked, read } = byHand<string>();
    const first = readings.watch('a', read, note);
    const second = readings.watch('a', read, note);
    first.stop();
    expect(asked[0]?.signal.aborted).toBe(false);
    second.stop();
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it('shows the last value at once on coming back, and reads it again when it is old', async () => {
    const { readings, note, last, pass } = setUp();
    const { asked, read } = byHand<string>();
    const watch = readings.watch('a', read, note);
    asked[0]?.answer('old');
    await settled();
    watch.stop();
    readings.watch('a', read, note).stop();
    expect(asked).toHaveLength(1);
    pass(60_000);
    readings.watch('a', read, note);
    expect(asked).toHaveLength(2);
    expect(last()).toMatchObject({ kind: 'loading', last: { value: 'old', at: 1_000_000 } });
  });

  it('asks again for what took long only once it has rested, or where it failed', async () => {
    const { readings, note, pass } = setUp();
    const { asked, read } = byHand<string>();
    const watch = readings.watch('a', read, note);
    pass(3000);
    asked[0]?.answer('took 3 s');
    await settled();
    watch.stop();
    pass(59_000);
    const again = readings.watch('a', read, note);
    expect(asked).toHaveLength(1);
    again.refresh();
    asked[1]?.fail(new Error('down'));
    await settled();
    again.stop();
    pass(11_000);
    readings.watch('a', read, note);
    expect(asked).toHaveLength(3);
  });

  it('keeps the last value when a refresh fails, and drops an answer that was overtaken', async () => {
    const { readings, note, last } = setUp();
    const { asked, read } = byHand<string>();
    const watch = readings.watch('a', read, note);
    watch.refresh();
    asked[0]?.answer('overtaken');
    asked[1]?.answer('newest');
    await settled();
    expect(last()).toMatchObject({ kind: 'ready', last: { value: 'newest' } });
    const error = new Error('down');
    watch.refresh();
    asked[2]?.fail(error);
    await settled();
    expect(last()).toEqual({ kind: 'failed', error, last: { value: 'newest', at: 1_000_000 } });
    expect(readings.overall()).toEqual({ loading: false, oldest: 1_000_000, failed: true, error, denied: false });
  });

  it('cancels by hand and says how far it is', async () => {
    const { readings, note, last } = setUp();
    const { asked, read } = byHand<string>();
    const watch = readings.watch('a', read, note);
    asked[0]?.report(0.4);
    expect(last()).toMatchObject({ kind: 'loading', progress: 0.4 });
    watch.cancel();
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(last()).toEqual({ kind: 'cancelled', last: null });
  });

  it('lets a reading that took long rest longer', async () => {
    const { readings, note, pass } = setUp();
    const { asked, read } = byHand<string>();
    readings.watch('slow', read, note);
    pass(5_000);
    asked[0]?.answer('numbers');
    await settled();
    pass(60_000);
    readings.refresh('rested');
    expect(asked).toHaveLength(1);
    pass(60_000);
    readings.refresh('rested');
    expect(asked).toHaveLength(2);
  });
});
