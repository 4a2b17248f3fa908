import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { sliceColumns } from '../columns/select-rows.ts';
import type { RangeReader, RangeSource } from './range-reader.ts';
import { type Within, withinPart } from './reading-source.ts';

/**
 * Steps one after the other from samples. Chunks come in the order of their beginning; one that extends into later
 * steps is kept for them, trimmed to its remaining rows, so that only a few are in memory at a time.
 */
export function readStepByStep(
  reader: RangeReader,
  starts: readonly number[],
  partOf: (step: number) => TimeRange,
  within: Within,
  note: (step: number, rows: RangeSource) => void,
): void {
  type Columns = Parameters<typeof sliceColumns>[0];
  let waiting: Columns[] = [];
  let step = 0;

  function finish(upTo: number): void {
    for (; step < starts.length && partOf(step).to <= upTo; step++) {
      const part = partOf(step);
      const inside = waiting.flatMap((columns) => sliceColumns(columns, [part]) ?? []);
      const ranges = withinPart(part, within) ?? [part];
      if (inside.length > 0)
        note(step, {
          blocks: () => [],
          rows: () => inside.map((columns) => ({ columns, ranges, t0: part.from, stored: columns.n, lasting: true })),
        });
      const rest = { from: part.to, to: Number.POSITIVE_INFINITY };
      waiting = waiting.flatMap((columns) => sliceColumns(columns, [rest]) ?? []);
    }
  }

  const pass = reader.pass();
  pass.rows(({ columns, t0 }) => {
    finish(t0);
    waiting.push(columns);
  });
  pass.run();
  finish(Number.POSITIVE_INFINITY);
}
