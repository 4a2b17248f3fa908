import { PROBES } from '../text/probes.ts';

const WIDTH = 120;
const HEIGHT = 26;
const PAD = 3;

interface SparklineProps {
  readonly values: readonly (number | null)[];
  readonly threshold: number | null;
}

/** Medians with gaps where nothing was measured, and the threshold as a dashed line. */
export function Sparkline({ values, threshold }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const words =
    known.length === 0 ? PROBES.steps.noTrend : PROBES.steps.trendOf(known[0] ?? 0, known.at(-1) ?? 0, values.length);
  const top = Math.max(...known, threshold ?? 0, 1) * 1.05;
  // The axis does not start at 0, or every trend would be flat; the numbers are next to it.
  const bottom = Math.min(...known, threshold ?? Number.POSITIVE_INFINITY, top) * 0.8;
  const x = (i: number) => PAD + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * PAD);
  const y = (value: number) => HEIGHT - PAD - ((value - bottom) / (top - bottom || 1)) * (HEIGHT - 2 * PAD);
  const path = values
    .map((value, i) =>
      value === null ? '' : `${(values[i - 1] ?? null) === null ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <span class="trend" role="img" aria-label={words} data-tip={words}>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {threshold === null ? null : (
          <line x1={0} x2={WIDTH} y1={y(threshold)} y2={y(threshold)} stroke="var(--mean)" stroke-dasharray="3 3" />
        )}
        <path d={path} fill="none" stroke="var(--phase-wait)" stroke-width={1.6} />
      </svg>
    </span>
  );
}
