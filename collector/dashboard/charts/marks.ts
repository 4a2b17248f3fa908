import { ruleX, text } from '@observablehq/plot';

/** A labelled line across a chart: the median, the average, a peak. */
export interface LabelledLine {
  readonly at: number;
  readonly label: string;
  readonly colour: string;
  readonly dashed?: boolean;
}

/** Widest letter that a label is reckoned with, px. */
const LETTER = 6.8;
export const LABEL_LINE = 15;

/** Lines with their labels above the frame, each label in the first row where it meets no other. */
export function labelledLines(lines: readonly LabelledLine[], x: (at: number) => number, width: number) {
  const ends: number[] = [];
  const placed = [...lines]
    .sort((one, other) => one.at - other.at)
    .map((line) => {
      const long = line.label.length * LETTER;
      const middle = Math.min(Math.max(x(line.at), long / 2), width - long / 2);
      let row = ends.findIndex((end) => end < middle - long / 2 - 6);
      if (row < 0) row = ends.length;
      ends[row] = middle + long / 2;
      return { ...line, row, shift: middle - x(line.at) };
    });
  const rows = ends.length;
  return {
    /** Room above the frame, px. */
    room: rows * LABEL_LINE + 6,
    marks: placed.flatMap((line) => [
      ruleX([line], {
        x: 'at',
        stroke: line.colour,
        strokeWidth: line.dashed === true ? 1.25 : 2,
        ...(line.dashed === true ? { strokeDasharray: '4 3' } : {}),
        insetTop: -(6 + LABEL_LINE * (rows - 1 - line.row)),
      }),
      text([line], {
        x: 'at',
        text: 'label',
        frameAnchor: 'top',
        dx: line.shift,
        dy: -(12 + LABEL_LINE * (rows - 1 - line.row)),
        fill: 'var(--ink)',
        fontWeight: line.dashed === true ? 400 : 700,
      }),
    ]),
  };
}
