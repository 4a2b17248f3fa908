import { describe, expect, it } from 'vitest';
import type { Mark } from '../../../collector/charts/drawing.ts';
import { markText, selectedRange, stepFrom } from '../../../collector/dashboard/model/mark-steps.ts';

const mark = (x: number, y: number, range?: Mark['range']): Mark => ({
  box: { x, y, width: 10, height: 10 },
  title: `${x}/${y}`,
  lines: [
    { label: 'median', value: '80 ms' },
    { label: 'no measurements', value: '' },
  ],
  ...(range === undefined ? {} : { range }),
});

describe('keys among the marks of a chart', () => {
  const columns = [mark(0, 0), mark(10, 0), mark(20, 0)];
  const grid = [mark(0, 0), mark(10, 0), mark(0, 20), mark(10, 20), mark(20, 20)];

  it('move along, and stop at the ends', () => {
    expect(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown'].map((key) => stepFrom(columns, 1, key))).toEqual([
      2, 0, 2, 0,
    ]);
    expect(stepFrom(columns, 2, 'ArrowRight')).toBe(2);
    expect([stepFrom(columns, 0, 'End'), stepFrom(columns, 2, 'Home'), stepFrom(columns, 0, 'PageDown')]).toEqual([
      2, 0, 2,
    ]);
    expect(stepFrom(columns, 0, 'a')).toBeNull();
  });

  it('move between rows to what is closest there', () => {
    expect(stepFrom(grid, 1, 'ArrowDown')).toBe(3);
    expect(stepFrom(grid, 4, 'ArrowUp')).toBe(1);
    expect(stepFrom(grid, 0, 'ArrowUp')).toBe(0);
  });

  it('select from the earlier to the later time, in either direction and across rows', () => {
    const timed = [mark(0, 0, { from: 0, to: 5 }), mark(10, 0, { from: 5, to: 10 }), mark(0, 20, { from: 0, to: 5 })];
    expect(selectedRange(timed, 1, 0)).toEqual({ from: 0, to: 10 });
    expect(selectedRange(timed, 1, 2)).toEqual({ from: 0, to: 10 });
    expect(selectedRange(columns, 0, 1)).toBeNull();
  });
});

it('a mark reads as one line', () => {
  expect(markText(mark(1, 2))).toBe('1/2: median 80 ms, no measurements');
});
