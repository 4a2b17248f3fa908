import type { Texts } from '../analysis/text/english.ts';
import { visibleText } from '../analysis/text/visible-text.ts';
import type { ChartSpec, HistogramLine } from './chart-spec.ts';
import { connectionShares } from './connection-shares.ts';
import { connectionsChart } from './connections-chart.ts';
import { gapChart } from './gap-chart.ts';
import { gapSteps } from './gap-steps.ts';
import { type PhaseBars, phaseBars } from './phase-bars.ts';
import { averageChart, phasesChart } from './phases-chart.ts';
import { scenarioChart } from './scenario-chart.ts';
import { trendChart } from './trend-chart.ts';

const NOTHING: PhaseBars = { mean: 0, median: 0, n: 0, pieces: [], lines: [], note: null };

/** The drawing function of each kind of chart, shared with the dashboard. */
export function drawSpec(chart: ChartSpec, width: number, texts: Texts): SVGSVGElement {
  switch (chart.kind) {
    case 'average':
      return averageChart(phaseBars(chart.cell, texts) ?? NOTHING, width, texts).svg;
    case 'phases':
      return phasesChart(phaseBars(chart.cell, texts) ?? NOTHING, width, texts).svg;
    case 'gap':
      return gapChart(gapSteps(chart.gap, texts), width, texts).svg;
    case 'connections':
      return connectionsChart(
        chart.cells.map(({ label, cell }) => ({ label: visibleText(label), shares: connectionShares(cell, texts) })),
        width,
        texts,
      ).svg;
    case 'trend':
      return trendChart(chart, width, texts);
    case 'histogram':
      return scenarioChart(chart.lines.flatMap(barsOf), width, texts).svg;
  }
}

function barsOf({ name, scenario, bins }: HistogramLine) {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  return bins
    .filter(({ from }) => from > 0)
    .map((bin) => ({ ...bin, name: visibleText(name), scenario, height: bin.count / highest }));
}
