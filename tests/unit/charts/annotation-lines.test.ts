import { parseHTML } from 'linkedom';
import { beforeAll, expect, test } from 'vitest';
import { annotationLines } from '../../../collector/charts/annotation-lines.ts';
import type { ChartAnnotation } from '../../../collector/charts/chart-spec.ts';
import { draw, drawIn } from '../../../collector/charts/draw.ts';

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 2, 1);
const RANGE = [new Date(FROM), new Date(FROM + 10 * HOUR)] as const;
const WIDTH = 500;

const at = (hours: number, text: string, until: number | null = null): ChartAnnotation => ({
  at: FROM + hours * HOUR,
  until: until === null ? null : FROM + until * HOUR,
  text,
});

beforeAll(() => drawIn(parseHTML('<!doctype html><html><body></body></html>').document));

function drawn(annotations: readonly ChartAnnotation[]) {
  const { room, marks } = annotationLines(annotations, RANGE, WIDTH);
  const { svg } = draw({
    width: WIDTH,
    height: 100 + room,
    margins: { top: room, right: 0, bottom: 30, left: 0 },
    x: { type: 'time', domain: [...RANGE], axis: null },
    marks: [...marks],
  });
  const all = (name: string) => [...svg.querySelectorAll(name)];
  return {
    room,
    rules: all('line').map((line) => Math.round(Number(line.getAttribute('x1')))),
    labels: all('text').map(({ textContent }) => textContent),
    shades: all('rect').map((rect) => [Number(rect.getAttribute('x')), Number(rect.getAttribute('width'))]),
  };
}

test('a moment is a labelled rule, a period a shade too; what is outside the range is left out', () => {
  const { rules, labels, shades } = drawn([at(2, 'release'), at(6, 'backup', 7), at(11, 'later'), at(-1, 'before')]);
  expect(rules).toEqual([100, 300]);
  expect(labels).toEqual(['release', 'backup']);
  expect(shades).toEqual([[300, 50]]);
});

test('a period that began earlier begins where the chart does, and nothing takes no room', () => {
  expect(drawn([at(-5, 'backup', 1)])).toMatchObject({ rules: [0], labels: ['backup'], shades: [[0, 50]] });
  expect(annotationLines([], RANGE, WIDTH)).toEqual({ room: 0, marks: [] });
  expect(annotationLines([at(10, 'later')], RANGE, WIDTH).room).toBe(0);
});

test('labels that overlap get rows of their own, three at most; all keep their rules', () => {
  const close = Array.from({ length: 6 }, (_, i) => at(5 + i / 100, `release ${i}`));
  const { rules, labels, room } = drawn(close);
  expect(rules).toHaveLength(6);
  expect(labels).toEqual(['release 0', 'release 1', 'release 2']);
  expect(room).toBe(drawn(close.slice(0, 3)).room);
});

test('a long text is shortened, more in a narrow chart', () => {
  const long = at(5, 'x'.repeat(100));
  expect(drawn([long]).labels[0]).toHaveLength(25);
  expect(drawn([long]).labels[0]).toMatch(/…$/);
});
