import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CorrectedBatch, correctBatch, provenCorrection } from '../../../collector/ingest/browser-clock.ts';
import { MAX_AHEAD_MS, MAX_TRANSIT_MS } from '../../../shared/vocabulary/wire-limits.ts';

const MINUTE = 60_000;
const START = 1_800_000_000_000;

interface Sent {
  /** True offset of the collector's clock from the browser's, ms. */
  readonly offset: number;
  readonly transit: number;
}

/** A batch every minute with a sample every 10 s, as a browser with these clocks and uploads sends them. */
function correctionsOf(batches: readonly Sent[], before: readonly CorrectedBatch[] = []): number[] {
  let kept = before;
  return batches.map(({ offset, transit }, index) => {
    const sentAt = START + (index + 1) * MINUTE - offset;
    kept = correctBatch(kept, { difference: offset + transit, first: sentAt - 55_000, last: sentAt - 5000 });
    return kept.at(-1)?.correction ?? Number.NaN;
  });
}

const times = (n: number, sent: Sent) => Array<Sent>(n).fill(sent);

test.each([
  ['a right clock', 0, 200, 0],
  ['an upload of 24 s', 0, 24_000, 0],
  ['an hour behind', 3_600_000, 200, 3_600_200],
  ['an hour ahead', -3_600_000, 200, -3_599_800],
  ['5 s ahead', -5000, 200, -4800],
  ['20 s behind, as far as one batch tells', 20_000, 200, 0],
])('the first batch of %s', (_what, offset, transit, correction) => {
  expect(correctionsOf([{ offset, transit }])).toEqual([correction]);
  expect(provenCorrection(offset + transit)).toBe(correction);
});

test('one slow upload among others moves nothing, wherever it comes', () => {
  for (let slow = 0; slow < 12; slow++) {
    const batches = Array.from({ length: 12 }, (_, i) => ({ offset: 0, transit: i === slow ? 24_000 : 200 }));
    expect(correctionsOf(batches)).toEqual(Array(12).fill(0));
  }
});

test('what four batches agree on is the clock, and the fastest of them counts', () => {
  const batches = [3000, 900, 200, 1500, 2500].map((transit) => ({ offset: 20_000, transit }));
  expect(correctionsOf(batches)).toEqual([0, 0, 0, 20_200, 20_200]);
});

test('a clock that is set is followed at once, forwards and back', () => {
  const [behind, right] = [times(2, { offset: 3_600_000, transit: 200 }), times(2, { offset: 0, transit: 200 })];
  expect(correctionsOf([...behind, ...right, ...behind])).toEqual([3_600_200, 3_600_200, 0, 0, 3_600_200, 3_600_200]);
});

test('after a restart the correction of the last batch goes on', () => {
  const stored = [{ difference: Infinity, correction: 20_000, last: Infinity }];
  expect(correctionsOf(times(2, { offset: 20_000, transit: 400 }), stored)).toEqual([20_000, 20_000]);
});

test('another sender that uses a browser’s id cannot move its samples', () => {
  const liar = { offset: -1e9, transit: 0 };
  const honest = { offset: 0, transit: 200 };
  expect(correctionsOf([honest, liar, honest]).at(-1)).toBe(0);
});

test('samples of one browser keep their order, whatever its uploads and its clock do, and none is far ahead', () => {
  const batch = fc.record({
    transit: fc.oneof(fc.nat(2000), fc.nat(MAX_TRANSIT_MS)),
    /** The clock is set by so much before it. */
    step: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -90_000, max: 90_000 }) },
    ),
    wait: fc.nat(90_000),
    ages: fc.array(fc.nat(120_000), { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    // A sample that was held back for longer than eight batches may be overtaken.
    fc.property(
      fc.array(batch, { maxLength: 9 }),
      fc.integer({ min: -MINUTE, max: MINUTE }),
      (batches, offsetBefore) => {
        let [now, offset, kept] = [START, offsetBefore, [] as readonly CorrectedBatch[]];
        const stored: { at: number; corrected: number }[] = [];
        let set = false;
        for (const { transit, step, wait, ages } of batches) {
          now += wait;
          offset += step;
          set ||= step !== 0;
          const sentAt = now - offset;
          const at = ages.map((age) => sentAt - age);
          kept = correctBatch(kept, {
            difference: offset + transit,
            first: Math.min(...at),
            last: Math.max(...at),
          });
          for (const time of at) {
            const corrected = time + (kept.at(-1)?.correction ?? Number.NaN);
            expect(corrected).toBeLessThanOrEqual(now + transit + MAX_AHEAD_MS);
            if (!set)
              for (const other of stored) if (other.at < time) expect(other.corrected).toBeLessThanOrEqual(corrected);
            stored.push({ at: time, corrected });
          }
        }
      },
    ),
  );
});
