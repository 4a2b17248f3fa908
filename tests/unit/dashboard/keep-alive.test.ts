import { describe, expect, it } from 'vitest';
import { describeKeepAlive, formatGap, keepAlive } from '../../../collector/dashboard/model/keep-alive-gaps.ts';

/** Bins with the given counts; each is twice as wide as the previous one, starting at 16 ms. */
function bins(...counts: readonly number[]) {
  return counts.map((count, index) => ({ from: 16 * 2 ** index, to: 32 * 2 ** index, count }));
}

describe('keep-alive timeout', () => {
  it('is the edge after which connections are new', () => {
    //           16  32  64 128 256 512 1 s 2 s 4 s 8 s
    const reused = bins(40, 40, 40, 40, 40, 40, 40, 1, 0, 0);
    const opened = bins(1, 0, 0, 0, 0, 0, 0, 30, 30, 30);
    const found = keepAlive(opened, reused);
    expect(found).toMatchObject({ timeoutMs: 2048, forced: 90, opened: 91, early: 1 });
    expect(describeKeepAlive(found)).toContain('Connections close after about 2 s without a request: 90 of 91');
  });

  it('is no fault if it is a minute or more', () => {
    const reused = bins(...Array.from({ length: 14 }, (_, i) => (i < 12 ? 40 : 0)));
    const opened = bins(...Array.from({ length: 14 }, (_, i) => (i < 12 ? 0 : 40)));
    const found = keepAlive(opened, reused);
    expect(found.timeoutMs).toBe(65_536);
    expect(describeKeepAlive(found)).toContain('after about 66 s without a request, which is longer than most pauses');
    expect(describeKeepAlive(keepAlive(opened.slice(0, -1), reused))).not.toContain('would save');
    expect(describeKeepAlive(keepAlive(bins(0, 0, 0, 30), bins(40, 40, 40)))).toContain('would save');
  });

  it('is unknown if new connections follow any pause', () => {
    const found = keepAlive(bins(20, 20, 20, 20), bins(20, 20, 20, 20));
    expect(found.timeoutMs).toBeNull();
    expect(describeKeepAlive(found)).toContain('no pause length separates them');
  });

  it('is unknown for few requests', () => {
    expect(keepAlive(bins(0, 0, 5, 5), bins(50, 50, 0, 0)).timeoutMs).toBeNull();
  });

  it('is unknown without new connections or without data', () => {
    expect(describeKeepAlive(keepAlive([], bins(50, 50)))).toContain('No new connection followed');
    expect(keepAlive([], []).steps).toEqual([]);
  });

  it('joins the shortest pauses', () => {
    const tiny = [1, 2, 4, 8].map((from) => ({ from, to: from * 1.4, count: 3 }));
    expect(keepAlive([], tiny).steps[0]).toEqual({ from: 0, to: 8 * 1.4, reused: 12, opened: 0 });
  });

  it.each([
    [94, '90 ms'],
    [4992, '5 s'],
    [61_000, '61 s'],
    [300_000, '5 min'],
    [7_200_000, '2 h'],
  ])('names a pause of %i ms %s', (ms, text) => {
    expect(formatGap(ms)).toBe(text);
  });
});
