import type { CompareCell } from '../../questions/compare.ts';
import type { AppNames } from '../model/value-label.ts';
import { COMPARE } from '../text/compare.ts';
import { formatDifference } from '../text/format.ts';
import { groupName, toOutcome } from './compare-words.ts';

/** Maximum number of groups drawn; the table has all. */
const MAX_DRAWN = 30;
const ROW = 26;
/** Names that would take more of the width are above their lines. */
const ROW_WITH_NAME = 40;
const TOP = 22;
const RIGHT = 70;
const NAMES = 0.34;
const CHARACTER = 7;
/** Margin beyond the widest interval, as a fraction of it. */
const MARGIN = 0.06;
const COLOURS = {
  slower: 'var(--mean)',
  faster: 'var(--phase-tcp)',
  same: 'var(--quiet)',
  unknown: 'var(--quiet)',
  few: 'var(--quiet)',
} as const;

interface IntervalsPictureProps {
  readonly cells: readonly CompareCell[];
  readonly names: AppNames;
  readonly width: number;
}

/** A line for each interval, a dot for each difference, and a vertical line at 0. */
export function IntervalsPicture({ cells, names, width }: IntervalsPictureProps) {
  const drawn = cells
    .flatMap((cell) => (cell.change === null ? [] : [{ cell, change: cell.change, name: groupName(cell, names) }]))
    .slice(0, MAX_DRAWN);
  const room = 16 + Math.max(0, ...drawn.map(({ name }) => name.length)) * CHARACTER;
  const above = room > width * NAMES;
  const left = above ? 0 : room;
  const pitch = above ? ROW_WITH_NAME : ROW;
  const height = TOP + drawn.length * pitch + 8;
  const longest = Math.floor(width / CHARACTER);
  const edges = drawn.flatMap(({ change }) => [...change.interval, change.difference]);
  const [low, high] = [Math.min(0, ...edges), Math.max(0, ...edges)];
  const margin = (high - low || 1) * MARGIN;
  const x = (value: number) =>
    left + ((value - low + margin) / (high - low + 2 * margin)) * Math.max(1, width - left - RIGHT);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line x1={x(0)} x2={x(0)} y1={TOP - 6} y2={height - 4} stroke="var(--line-strong)" />
      <text x={x(0)} y={11} text-anchor="middle" font-size={12} fill="var(--quiet)">
        {COMPARE.chart.noChange}
      </text>
      {drawn.map(({ cell, change: { interval, difference, changed }, name }, row) => {
        const y = TOP + (row + 1) * pitch - ROW / 2;
        const colour = COLOURS[toOutcome(cell)];
        const [from, to] = [x(interval[0]), x(interval[1])];
        return (
          <g key={name}>
            <title>{COMPARE.chart.differenceOf(name, difference)}</title>
            <text
              {...(above
                ? { x: 0, y: y - 12, 'text-anchor': 'start' }
                : { x: left - 10, y: y + 4, 'text-anchor': 'end' })}
              font-size={12}
              fill="var(--ink)"
              class="over-line"
            >
              {name.length > longest ? `${name.slice(0, longest - 1)}…` : name}
            </text>
            <line
              x1={from}
              x2={Math.max(to, from + 1)}
              y1={y}
              y2={y}
              stroke={colour}
              stroke-width={5}
              stroke-opacity={0.4}
              stroke-linecap="round"
            />
            <circle cx={x(difference)} cy={y} r={4.5} fill={colour} />
            <text x={width - RIGHT + 14} y={y + 4} font-size={12} font-weight={changed ? 700 : 400} fill="var(--ink)">
              {formatDifference(difference)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
