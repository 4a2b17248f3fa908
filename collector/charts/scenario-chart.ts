import { rectY, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import { draw } from './draw.ts';
import type { Drawing } from './drawing.ts';
import { bottomAxis, logTicks } from './marks.ts';
import type { ScenarioBin } from './scenario-bins.ts';

const ROW = 74;

/** One histogram per scenario, stacked over one log axis and scaled separately, so that their shapes can be compared. */
export function scenarioChart(bins: readonly ScenarioBin[], width: number, { numbers }: Texts): Drawing {
  const names = [...new Set(bins.map(({ name }) => name))];
  const low = Math.min(...bins.map(({ from }) => from));
  const high = Math.max(...bins.map(({ to }) => to));
  const left = width < 500 ? 96 : 150;
  const { svg, x, fy, row } = draw({
    width,
    height: ROW * names.length + 36,
    marginLeft: left,
    marginRight: 14,
    marginTop: 6,
    marginBottom: 28,
    x: { type: 'log', domain: [low, high], axis: null },
    y: { domain: [0, 1], axis: null },
    fy: { domain: names, label: null, axis: null, padding: 0.12 },
    marks: [
      ...bottomAxis(logTicks(low, high, width - left - 14), (ms) => numbers.upTo(ms, ms < 1 ? 6 : 0), 'bottom'),
      rectY(bins as ScenarioBin[], {
        fy: 'name',
        x1: 'from',
        x2: 'to',
        y: 'height',
        fill: (bin: ScenarioBin) => `var(${colourOf(bin)})`,
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      text(names, {
        fy: (name: string) => name,
        text: (name: string) => name,
        frameAnchor: 'left',
        textAnchor: 'end',
        dx: -10,
        fill: 'var(--ink)',
      }),
    ],
  });
  const marks = bins
    .filter(({ count }) => count > 0)
    .map((bin) => ({
      box: { x: x(bin.from), y: fy(bin.name), width: x(bin.to) - x(bin.from), height: row },
      title: bin.name,
      lines: [
        {
          label: `${numbers.ms(bin.from)} – ${numbers.ms(bin.to)} ms`,
          value: numbers.count(bin.count),
          colour: colourOf(bin),
        },
      ],
    }));
  return { svg, marks };
}

function colourOf({ scenario }: ScenarioBin): string {
  return scenario.includes('new') ? '--connection-new' : '--connection-reused';
}
