import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planRange } from '../../../collector/storage/passes/plan-range.ts';
import { bucketStart } from '../../../collector/storage/rollups/resolutions.ts';
import { rounds } from '../../rounds.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 20);
const END = Date.UTC(2026, 3, 10);

const time = fc.integer({ min: START, max: END });
const range = fc.tuple(time, time).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

test('every moment of a range is in exactly one part, whatever rollups there are', () => {
  fc.assert(
    fc.property(range, fc.func(fc.boolean()), (asked, isWhole) => {
      const { segments, edges } = planRange(asked, isWhole);
      const parts = [
        ...edges,
        ...segments.map(({ resolution: level, bucket }) => ({
          from: bucketStart(level, bucket),
          to: bucketStart(level, bucket + 1),
        })),
      ].sort((a, b) => a.from - b.from);
      let at = asked.from;
      for (const { from, to } of parts) {
        expect(from).toBe(at);
        at = to;
      }
      expect(at).toBe(asked.to);
    }),
    { seed: 4, numRuns: rounds(60, 200) },
  );
});

test('as few parts as there can be: months, then days, then hours, then samples', () => {
  const from = Date.UTC(2026, 0, 30, 22, 30);
  const to = Date.UTC(2026, 2, 2, 1, 15);
  const { segments, edges } = planRange({ from, to }, () => true);
  expect(segments.map(({ resolution: level }) => level)).toEqual(['hour', 'day', 'month', 'day', 'hour']);
  expect(edges).toEqual([
    { from, to: from + HOUR / 2 },
    { from: to - HOUR / 4, to },
  ]);
});

test('a stale month is made up of its days, a stale day of its hours', () => {
  const from = Date.UTC(2026, 1);
  const stale = from + 3 * 24 * HOUR;
  const { segments } = planRange({ from, to: Date.UTC(2026, 2) }, (level, bucket) =>
    level === 'day' ? bucketStart('day', bucket) !== stale : false,
  );
  expect(segments.filter(({ resolution: level }) => level === 'day')).toHaveLength(27);
  expect(segments.filter(({ resolution: level }) => level === 'hour')).toHaveLength(24);
});
