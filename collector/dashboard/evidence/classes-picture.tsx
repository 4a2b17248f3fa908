import { EVIDENCE } from '../text/evidence.ts';
import { formatShare } from '../text/format.ts';
import type { EvidenceClass } from './evidence-totals.ts';

/** A variable of colours.css for each class; the chart and its legend share it. */
export const CLASS_COLOURS: Readonly<Record<string, string>> = {
  usable: '--connection-reused',
  opaque: '--connection-opaque',
  cache: '--connection-cache',
  worker: '--connection-worker',
  failed: '--connection-failed',
  status: '--connection-new',
};
const ON: Readonly<Record<string, string>> = {
  usable: '--on-connection-reused',
  opaque: '--on-connection-opaque',
  cache: '--on-connection-cache',
  worker: '--on-connection-worker',
  failed: '--on-connection-failed',
  status: '--on-connection-new',
};
const HEIGHT = 44;
/** A narrower segment has no label, px. */
const LABEL_WIDTH = 52;
const GAP = 1.5;

/** One bar with a segment per class. */
export function ClassesPicture({
  classes,
  width,
}: {
  readonly classes: readonly EvidenceClass[];
  readonly width: number;
}) {
  let end = 0;
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {classes.map(({ name, label, share }) => {
        const wide = share * width;
        const x = end;
        end += wide;
        return (
          <g key={name}>
            <rect
              x={x + GAP / 2}
              y={2}
              width={Math.max(0.8, wide - GAP)}
              height={HEIGHT - 4}
              rx={3}
              fill={`var(${CLASS_COLOURS[name] ?? '--connection-unknown'})`}
            />
            <title>{EVIDENCE.classes.shareOf(label, share)}</title>
            {wide < LABEL_WIDTH ? null : (
              <text
                x={x + wide / 2}
                y={HEIGHT / 2 + 4.5}
                text-anchor="middle"
                font-size={13}
                font-weight={600}
                fill={`var(${ON[name] ?? '--on-connection-unknown'})`}
              >
                {formatShare(share)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
