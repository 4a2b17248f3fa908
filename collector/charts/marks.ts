import { gridX, ruleX, text } from '@observablehq/plot';

/** Words beside a bar: before where it begins, and behind where it ends. */
export const BEFORE = { textAnchor: 'end', dx: -10, fill: 'var(--ink)' } as const;
export const BEHIND = { textAnchor: 'start', dx: 6, fill: 'var(--ink)' } as const;

/** A labelled line across a chart: the median, the average, a peak. */
export interface LabelledLine {
  readonly at: number;
  readonly label: string;
  readonly colour: string;
  readonly dashed?: boolean;
}

/** Assumed width of a letter, px. */
const LETTER = 7.5;
/** From a line to its label, px. */
const LABEL_GAP = 3;
const LABEL_LINE = 15;
/** Margin for labels of up to four digits, px. */
const AXIS_ROOM = 46;
const AXIS_GAP = 12;
const AXIS_LETTER = 7;

/**
 * Lines with their labels above the frame, each label to the right of its line, in the first row in which it overlaps no other.
 * @param maxRows labels that would need more rows are left out
 */
export function labelledLines(
  lines: readonly LabelledLine[],
  x: (at: number) => number,
  width: number,
  maxRows = Number.POSITIVE_INFINITY,
) {
  const ends: number[] = [];
  const placed = [...lines]
    .sort((one, other) => one.at - other.at)
    .map((line) => {
      const long = line.label.length * LETTER;
      // From its line to the right, where only lines of later labels are, and those end in the rows below; at the edge
      // of the frame it ends there.
      const isAtEdge = x(line.at) + LABEL_GAP + long > width;
      const end = isAtEdge ? width : x(line.at) + LABEL_GAP + long;
      let row = ends.findIndex((before) => before < end - long - 8);
      if (row < 0) row = ends.length;
      if (row < maxRows) ends[row] = end;
      const anchor: 'start' | 'end' = isAtEdge ? 'end' : 'start';
      return { ...line, row, anchor, shift: isAtEdge ? end - x(line.at) : LABEL_GAP };
    });
  const rows = ends.length;
  const lift = ({ row }: { row: number }) => Math.max(0, LABEL_LINE * (rows - 1 - row));
  return {
    /** Above the frame, px. */
    room: rows * LABEL_LINE + 6,
    // All lines first: labels lie above them.
    marks: [
      ...placed.map((line) =>
        ruleX([line], {
          x: 'at',
          stroke: line.colour,
          strokeWidth: line.dashed === true ? 1.25 : 2,
          ...(line.dashed === true ? { strokeDasharray: '4 3' } : {}),
          insetTop: -(6 + lift(line)),
        }),
      ),
      ...placed
        .filter(({ row }) => row < rows)
        .map((line) =>
          text([line], {
            x: 'at',
            text: 'label',
            frameAnchor: 'top',
            textAnchor: line.anchor,
            dx: line.shift,
            dy: -(14 + lift(line)),
            fill: 'var(--ink)',
            fontWeight: line.dashed === true ? 400 : 700,
            // A halo, so that the line of another label can pass behind.
            stroke: 'var(--panel)',
            strokeWidth: 4,
          }),
        ),
    ],
  };
}

/** Margin for the labels of a vertical axis up to `top`, px. */
export function axisRoom(top: number, format: (value: number) => string): number {
  // The axis may end at the next round number.
  return Math.max(AXIS_ROOM, AXIS_GAP + AXIS_LETTER * format(1.2 * top).length);
}

const STEPS = [1, 2, 5] as const;

/** Round ticks for a log axis, as many as there is room for: 1, 2, 5, 10 … or only the powers of ten. */
export function logTicks(low: number, high: number, span: number, room = 44): number[] {
  const perOctave = span / Math.log2(high / low);
  // The narrowest gap is from 1 to 2, or from 1 to 3 with fewer ticks.
  const steps = perOctave >= room ? STEPS : perOctave * Math.log2(3) >= room ? [1, 3] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const at = step * 10 ** power;
      if (at >= low && at <= high) ticks.push(Number(at.toPrecision(1)));
    }
  }
  return ticks;
}

/** An axis with a label at each tick, as Plot omits some labels of log axes. */
export function bottomAxis(ticks: readonly number[], format: (at: number) => string, facetAnchor?: 'bottom') {
  return [
    gridX(ticks),
    text(ticks, {
      x: (at: number) => at,
      frameAnchor: 'bottom',
      text: format,
      dy: 16,
      fill: 'var(--quiet)',
      ...(facetAnchor === undefined ? {} : { facetAnchor }),
    }),
  ];
}
