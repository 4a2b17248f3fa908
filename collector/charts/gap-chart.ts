import { axisX, barX, gridX, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import { countTicks, draw, labelRoom } from './draw.ts';
import type { Drawing } from './drawing.ts';
import type { GapStep } from './gap-steps.ts';
import { BEFORE, BEHIND } from './marks.ts';

const LEFT = 146;
const RIGHT = 64;

/** The steps from the median to the average. */
export function gapChart(steps: readonly GapStep[], width: number, { numbers }: Texts): Drawing {
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  const low = Math.min(0, ...ends);
  const high = Math.max(0.1, ...ends);
  const left = Math.max(LEFT, labelRoom(steps.map(({ label }) => label)));
  const ticks = countTicks(width - left - RIGHT);
  const whole = (step: GapStep) => step.id === 'median' || step.id === 'mean';
  const { svg, y, row } = draw({
    width,
    height: 34 * steps.length + 34,
    margins: { top: 4, right: RIGHT, bottom: 30, left },
    x: { domain: [low, high] },
    y: { domain: steps.map(({ label }) => label), axis: null },
    marks: [
      gridX({ ticks }),
      axisX({ ticks, tickFormat: numbers.tick, label: null, tickSize: 0 }),
      text(steps as GapStep[], {
        x: () => low,
        y: 'label',
        text: 'label',
        ...BEFORE,
        fontWeight: 400,
      }),
      barX(steps as GapStep[], {
        x1: 'from',
        x2: 'to',
        y: 'label',
        fill: (step: GapStep) => `var(--gap-${step.id})`,
        insetTop: 5,
        insetBottom: 5,
        rx: 2,
      }),
      text(steps as GapStep[], {
        x: (step: GapStep) => Math.max(step.from, step.to),
        y: 'label',
        text: (step: GapStep) => (whole(step) ? numbers.ms(step.value) : numbers.difference(step.value)),
        ...BEHIND,
        fontWeight: 700,
      }),
    ],
  });
  const marks = steps.map((step) => ({
    box: { x: 0, y: y(step.label), width, height: row },
    title: step.label,
    lines: [
      {
        label: '',
        value: `${whole(step) ? numbers.ms(step.value) : numbers.difference(step.value)} ms`,
        colour: `--gap-${step.id}`,
      },
    ],
    ...(step.requests && { requests: step.requests }),
  }));
  return { svg, marks };
}
