import type { TimeStatistics } from '../../analysis/summary/summary-document.ts';
import { formatMs } from '../text/format.ts';
import { t } from '../text/t.ts';

const WIDTH = 96;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
const MARGIN = 5;

/** One log axis for all rows of a table, so that they can be compared. */
export interface SpreadScale {
  readonly low: number;
  readonly high: number;
}

export function spreadScale(all: readonly (TimeStatistics | null)[]): SpreadScale {
  const known = all.filter((statistics) => statistics !== null);
  const low = Math.min(...known.map(({ min }) => Math.max(min, 0.1)));
  const high = Math.max(...known.map(({ p99 }) => Math.max(p99, 0.2)));
  return known.length === 0 || low >= high ? { low: 1, high: 1000 } : { low, high };
}

interface SpreadPictureProps {
  readonly statistics: TimeStatistics;
  readonly scale: SpreadScale;
}

/** A line from the minimum to p99, a box from p25 to p75, a bar at the median, a diamond at the average. */
export function SpreadPicture({ statistics, scale }: SpreadPictureProps) {
  const { low, high } = scale;
  const { min, p25, median, p75, p95, p99, mean } = statistics;
  const x = (value: number) => {
    const part = Math.log(Math.min(high, Math.max(low, value)) / low) / Math.log(high / low);
    return Math.round((MARGIN + part * (WIDTH - 2 * MARGIN)) * 10) / 10;
  };
  const words = t.overview.spread({
    p25: formatMs(p25),
    median: formatMs(median),
    mean: formatMs(mean),
    p75: formatMs(p75),
    p95: formatMs(p95),
    p99: formatMs(p99),
  });
  return (
    <svg
      class="spread"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words}
      data-tip={words}
    >
      <line class="spread-range" x1={x(min)} x2={x(p99)} y1={MIDDLE} y2={MIDDLE} />
      <line class="spread-tail" x1={x(p75)} x2={x(p95)} y1={MIDDLE} y2={MIDDLE} />
      <rect class="spread-box" x={x(p25)} y={4} width={Math.max(2, x(p75) - x(p25))} height={HEIGHT - 8} rx={1.5} />
      <rect class="spread-median" x={x(median) - 1} y={2} width={2} height={HEIGHT - 4} />
      <path class="spread-mean" d={`M${x(mean)},${MIDDLE - 4}l4,4l-4,4l-4,-4z`} />
    </svg>
  );
}
