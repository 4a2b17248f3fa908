import { barX, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import type { ConnectionShare } from './connection-shares.ts';
import { draw, labelRoom } from './draw.ts';
import type { Drawing } from './drawing.ts';
import { BEFORE } from './marks.ts';

export interface ConnectionLine {
  readonly label: string;
  readonly shares: readonly ConnectionShare[];
}

const LEFT = 78;
const ROW = 30;
/** A piece with a smaller share has no label. */
const LABEL_SHARE = 0.12;

/** For each type, the share of requests that opened a connection, reused one, or never used the network. */
export function connectionsChart(lines: readonly ConnectionLine[], width: number, { numbers }: Texts): Drawing {
  const pieces = lines.flatMap(({ label, shares }) => {
    let from = 0;
    return shares.map((share) => {
      const piece = { label, share, from, to: from + share.share };
      from = piece.to;
      return piece;
    });
  });
  type Piece = (typeof pieces)[number];
  const { svg, x, y, row } = draw({
    width,
    height: ROW * lines.length + 8,
    margins: {
      top: 4,
      right: 8,
      bottom: 4,
      left: Math.max(LEFT, labelRoom(lines.map(({ label }) => label))),
    },
    x: { domain: [0, 1], axis: null },
    y: { domain: lines.map(({ label }) => label), axis: null },
    marks: [
      text(lines as ConnectionLine[], {
        x: () => 0,
        y: 'label',
        text: 'label',
        ...BEFORE,
      }),
      barX(pieces, {
        x1: 'from',
        x2: 'to',
        y: 'label',
        fill: ({ share }: Piece) => `var(--connection-${share.connection})`,
        insetTop: 4,
        insetBottom: 4,
        insetLeft: 0.5,
        insetRight: 0.5,
        rx: 2,
        title: ({ label, share }: Piece) =>
          `${label}: ${share.label} ${share.count} (${numbers.wholeShare(share.share)})`,
      }),
      text(
        pieces.filter(({ share }) => share.share >= LABEL_SHARE),
        {
          x: ({ from, to }: Piece) => (from + to) / 2,
          y: 'label',
          text: ({ share }: Piece) => numbers.wholeShare(share.share),
          fill: ({ share }: Piece) => `var(--on-connection-${share.connection})`,
          fontWeight: 600,
        },
      ),
    ],
  });
  const marks = pieces.map(({ label, share, from, to }) => ({
    box: { x: x(from), y: y(label), width: x(to) - x(from), height: row },
    title: label,
    lines: [
      {
        label: share.label,
        value: `${numbers.count(share.count)} (${numbers.wholeShare(share.share)})`,
        colour: `--connection-${share.connection}`,
      },
    ],
  }));
  return { svg, marks };
}
