import { parseHTML } from 'linkedom';
import { beforeAll, expect, test } from 'vitest';
import { draw, drawIn } from '../../../collector/charts/draw.ts';
import { labelledLines } from '../../../collector/charts/marks.ts';

const WIDTH = 500;

beforeAll(() => drawIn(parseHTML('<!doctype html><html><body></body></html>').document));

function drawn(lines: readonly { readonly at: number; readonly label: string }[]) {
  const ofColour = lines.map((line) => ({ ...line, colour: 'black' }));
  const { room, marks } = labelledLines(ofColour, (at) => at, WIDTH);
  const { svg } = draw({
    width: WIDTH,
    height: 100 + room,
    margins: { top: room, right: 0, bottom: 30, left: 0 },
    x: { domain: [0, WIDTH], axis: null },
    marks: [...marks],
  });
  return {
    lines: [...svg.querySelectorAll('line')].map((line) => ({
      x: Math.round(Number(line.getAttribute('x1'))),
      top: Number(line.getAttribute('y1')),
    })),
    /** Where they begin, or end at the right edge. */
    labels: [...svg.querySelectorAll('text')].map((label) => placeOf(label)),
  };
}

function placeOf(label: Element): number {
  let x = 0;
  for (let one: Element | null = label; one !== null; one = one.parentElement) {
    x += Number(/translate\(([-\d.]+)/.exec(one.getAttribute('transform') ?? '')?.[1] ?? 0);
  }
  return x;
}

test('no line passes through a label: each is to the right of its line, and later lines begin below it', () => {
  const { lines, labels } = drawn([
    { at: 200, label: 'median 210' },
    { at: 206, label: 'average 221' },
    { at: 207, label: 'peak 223 ms' },
  ]);
  expect(lines.map(({ x }) => x)).toEqual([200, 206, 207]);
  expect(labels.map((start, i) => Math.round(start - (lines[i]?.x ?? 0)))).toEqual([3, 3, 3]);
  const [first = 0, second = 0, third = 0] = lines.map(({ top }) => top);
  expect([first < second, second < third]).toEqual([true, true]);
});

test('at the right edge a label ends with the frame', () => {
  const { labels } = drawn([{ at: 490, label: 'average 221' }]);
  expect(labels[0]).toBeCloseTo(WIDTH, 0);
});
