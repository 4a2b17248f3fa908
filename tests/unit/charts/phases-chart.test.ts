import { parseHTML } from 'linkedom';
import { beforeAll, expect, test } from 'vitest';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { drawIn } from '../../../collector/charts/draw.ts';
import { phaseBars } from '../../../collector/charts/phase-bars.ts';
import { phasesChart } from '../../../collector/charts/phases-chart.ts';
import { fleetCell } from '../dashboard/summary-fixture.ts';

beforeAll(() => drawIn(parseHTML('<!doctype html><html><body></body></html>').document));

function drawn(hidden: readonly string[]) {
  const bars = phaseBars(fleetCell('erp.example.com', 'document'), ENGLISH);
  if (bars === null) throw new Error('nothing to draw');
  const known = bars.lines.filter(({ reason }) => reason === null).length;
  const { svg, marks } = phasesChart(bars, 500, ENGLISH, new Set(hidden));
  return { known, bars: svg.querySelectorAll('g[fill-opacity] rect, g rect').length, marks };
}

test('median and average can be left out, also both', () => {
  const { known, bars } = drawn([]);
  expect(bars).toBe(2 * known);
  expect(drawn(['median']).bars).toBe(known);
  expect(drawn(['mean']).bars).toBe(known);
  expect(drawn(['median', 'mean']).bars).toBe(0);
});

test('a phase opens the requests that it counts', () => {
  const asked = new Map(drawn([]).marks.map(({ title, requests }) => [title.split(' ')[0], requests]));
  expect(asked.get('Wait')).toEqual({ metric: 'wait' });
  expect(asked.get('TCP')).toEqual({ metric: 'tcp', connection: ['new'] });
});
