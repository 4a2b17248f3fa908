import { parseHTML } from 'linkedom';
import { beforeAll, expect, test } from 'vitest';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { drawIn } from '../../../collector/charts/draw.ts';
import { inPlainColours } from '../../../collector/charts/palette.ts';
import { trendChart } from '../../../collector/charts/trend-chart.ts';

const DAY = 24 * 3_600_000;
const FROM = Date.UTC(2026, 2, 1);

beforeAll(() => drawIn(parseHTML('<!doctype html><html><body></body></html>').document));

test('what happened stands at its moment, and is above the days that it lasted', () => {
  const points = [100, 110, null, 90].map((median, i) => ({
    at: FROM + i * DAY,
    median,
    mean: median === null ? null : median + 20,
  }));
  const bare = trendChart({ points, annotations: [] }, 600, ENGLISH);
  const annotations = [
    { at: FROM + 1.5 * DAY, until: null, text: 'release 4.2' },
    { at: FROM + 2 * DAY, until: FROM + 3 * DAY, text: 'new proxy' },
    { at: FROM - DAY, until: null, text: 'long ago' },
  ];
  const svg = trendChart({ points, annotations }, 600, ENGLISH);
  const text = svg.textContent ?? '';
  expect(text).toContain('release 4.2');
  expect(text).toContain('new proxy');
  expect(text).not.toContain('long ago');
  expect(Number(svg.getAttribute('height'))).toBeGreaterThan(Number(bare.getAttribute('height')));
  // Measured on the second day, at its middle: where its dot is.
  const dots = [...svg.querySelectorAll('circle')].map((dot) => Math.round(Number(dot.getAttribute('cx'))));
  const rules = [...svg.querySelectorAll('line[stroke-dasharray], [stroke-dasharray] line')].map((rule) =>
    Math.round(Number(rule.getAttribute('x1'))),
  );
  expect(rules[0]).toBe(dots[1]);
  const [shade] = [...svg.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width')));
  expect(Math.abs(Number(shade) - (Number(dots[1]) - Number(dots[0])))).toBeLessThan(2);
  // In a file too, the labels have a halo of the paper's colour.
  expect(inPlainColours(svg.outerHTML)).toMatch(/stroke="#ffffff"[^>]*>(<[^>]*>)*release 4\.2/);
  // A day without measurements is a gap.
  expect(dots).toHaveLength(6);
});
