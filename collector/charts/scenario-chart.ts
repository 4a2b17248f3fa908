import { rectY, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import { draw, labelRoom } from './draw.ts';
import type { Drawing } from './drawing.ts';
import { bottomAxis, logTicks } from './marks.ts';
import type { ScenarioBin } from './scenario-bins.ts';

const ROW = 74;
const RIGHT = 14;
/** Labels that would take a larger part of the width go above their rows. */
const LABEL_SHARE = 0.3;
/** Height of a row with its label above, relative to its bars. */
const WITH_LABEL = 1.35;

/** One histogram per scenario, stacked over one log axis and scaled separately, so that their shapes can be compared. */
export function scenarioChart(bins: readonly ScenarioBin[], width: number, { numbers }: Texts): Drawing {
  const names = [...new Set(bins.map(({ name }) => name))];
  const low = Math.min(...bins.map(({ from }) => from));
  const high = Math.max(...bins.map(({ to }) => to));
  const labels = labelRoom(names);
  const above = labels > width * LABEL_SHARE;
  const left = above ? RIGHT : labels;
  const { svg, x, fy, row } = draw({
    width,
    height: ROW * names.length + 36,
    margins: { top: 6, right: RIGHT, bottom: 28, left },
    x: { type: 'log', domain: [low, high], axis: null },
    y: { domain: [0, above ? WITH_LABEL : 1], axis: null },
    fy: { domain: names, label: null, axis: null, padding: 0.12 },
    marks: [
      ...bottomAxis(logTicks(low, high, width - left - RIGHT), (ms) => numbers.upTo(ms, ms < 1 ? 6 : 0), 'bottom'),
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
        ...(above
          ? { frameAnchor: 'top-left' as const, dy: 2 }
          : { frameAnchor: 'left' as const, textAnchor: 'end' as const, dx: -10 }),
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
