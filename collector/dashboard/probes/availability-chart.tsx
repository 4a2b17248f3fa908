import type { Availability } from '../../analysis/probes/probe-results.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { Mark } from '../../charts/drawing.ts';
import type { ProbesDocument } from '../../questions/probes.ts';
import { useAnnotations } from '../annotations/use-annotations.ts';
import { Chart } from '../components/chart.tsx';
import { ofWhat } from '../model/of-what.ts';
import { formatCount, formatShare, localZone } from '../text/format.ts';
import { formatDay, formatSpan, formatTime } from '../text/moment.ts';
import { PROBES } from '../text/probes.ts';
import { t } from '../text/t.ts';
import { availabilityTable, availableShare, type PlaceName } from './probe-tables.ts';

const text = PROBES.availability;

interface AvailabilityChartProps {
  readonly availability: Availability;
  readonly place: PlaceName;
  readonly method: ProbesDocument['method'];
}

/** A row per target and site, a mark per step. */
export function AvailabilityChart({ availability, place, method }: AvailabilityChartProps) {
  const annotations = useAnnotations();
  return (
    <>
      <h2 class="spoken">{text.heading}</h2>
      <Chart
        title={text.title}
        note={`${text.note(text.step(availability.stepSeconds))} ${t.charts.zone(localZone())}`}
        words={availability.rows.map((row) => `${place(row)}: ${availableShare(row.cells)}`).join('; ')}
        legend={[
          { label: text.answered, colour: '--connection-cache' },
          { label: text.failed, colour: '--connection-failed' },
          { label: text.noProbe, colour: '--hover' },
        ]}
        table={availabilityTable(availability, place)}
        of={ofWhat([PROBES.title], method)}
        picture={(width) => (
          <Calendar availability={availability} place={place} width={width} annotations={annotations.drawn} />
        )}
        marks={(width) => marksOf(availability, place, width, annotations.drawn)}
        annotations={annotations}
      />
    </>
  );
}

const ROW = 24;
/** Names that do not fit next to their marks are above them. */
const ROW_WITH_NAME = 42;
const BOTTOM = 20;
const RIGHT = 58;
const CHARACTER = 7.2;
const NAMES = 0.36;
const GAP = 1.5;
/** Height of the labels of annotations. */
const LABELS = 18;
const MAX_LABEL = 24;
const DAY_SECONDS = 86_400;
/** Width of a label under the axis, px. */
const TICK = 116;

function layoutOf({ steps, rows }: Availability, place: PlaceName, width: number) {
  // If all rows belong to one app's host, the site alone is enough and fits on a phone.
  const oneHost = new Set(rows.map(({ host }) => host)).size === 1;
  const names = rows.map((row) => (oneHost ? (row.site ?? PROBES.noSite) : place(row)));
  const named = 16 + Math.max(0, ...names.map((name) => name.length)) * CHARACTER;
  const above = named > width * NAMES;
  const left = above ? 0 : named;
  const row = above ? ROW_WITH_NAME : ROW;
  const height = rows.length * row + BOTTOM + 4;
  const wide = Math.max(1, (width - left - RIGHT) / Math.max(1, steps.length));
  return { names, above, left, row, height, wide };
}

interface CalendarProps {
  readonly availability: Availability;
  readonly place: PlaceName;
  readonly width: number;
  readonly annotations: readonly ChartAnnotation[];
}

function Calendar({ availability, place, width, annotations }: CalendarProps) {
  const { steps, rows } = availability;
  const { names, above, left, row, height, wide } = layoutOf(availability, place, width);
  const every = Math.max(1, Math.ceil(TICK / wide));
  return (
    <svg
      width={width}
      height={height + roomOf(annotations)}
      viewBox={`0 ${-roomOf(annotations)} ${width} ${height + roomOf(annotations)}`}
      aria-hidden="true"
    >
      {rows.map(({ cells }, y) => {
        const top = (y + 1) * row - ROW;
        const middle = top + ROW / 2 + 4;
        return (
          <g key={names[y]}>
            <text
              {...(above
                ? { x: 0, y: top, 'text-anchor': 'start' }
                : { x: left - 10, y: middle, 'text-anchor': 'end' })}
              font-size={12}
              fill="var(--ink)"
            >
              {names[y]}
            </text>
            <text x={width - 4} y={middle} text-anchor="end" font-size={12} font-weight={600} fill="var(--ink)">
              {availableShare(cells)}
            </text>
            {cells.map((cell, i) => (
              <Step key={steps[i]} cell={cell} x={left + i * wide} top={top} width={wide - GAP} />
            ))}
          </g>
        );
      })}
      {steps.map((at, i) =>
        i % every !== 0 || left + i * wide > width - RIGHT - TICK / 2 ? null : (
          <text key={at} x={left + i * wide} y={height - 5} font-size={12} fill="var(--quiet)">
            {availability.stepSeconds < DAY_SECONDS ? `${formatDay(at)}, ${formatTime(at)}` : formatDay(at)}
          </text>
        ),
      )}
      {placed(availability, annotations, left, wide).map(({ x, end, label }) => (
        <g key={x}>
          {end === null ? null : (
            <rect x={x} width={end - x} height={height - BOTTOM} fill="var(--quiet)" opacity={0.2} />
          )}
          <line x1={x} x2={x} y1={-4} y2={height - BOTTOM} stroke="var(--ink)" stroke-dasharray="2 3" />
          <text x={x} y={-7} font-size={12} fill="var(--ink)">
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}

function roomOf(annotations: readonly ChartAnnotation[]): number {
  return annotations.length === 0 ? 0 : LABELS;
}

/** A label without room is left out; the list below the chart has all. */
function placed(
  { steps, stepSeconds }: Availability,
  annotations: readonly ChartAnnotation[],
  left: number,
  wide: number,
) {
  const start = steps[0] ?? 0;
  const right = left + steps.length * wide;
  const x = (at: number) => Math.min(right, Math.max(left, left + ((at - start) / (stepSeconds * 1000)) * wide));
  let free = 0;
  return annotations.map(({ at, until, text }) => {
    const short = text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;
    const fits = x(at) >= free && x(at) + short.length * CHARACTER <= right + RIGHT;
    if (fits) free = x(at) + short.length * CHARACTER;
    return { x: x(at), end: until === null ? null : x(until), label: fits ? short : '' };
  });
}

function marksOf(
  availability: Availability,
  place: PlaceName,
  width: number,
  annotations: readonly ChartAnnotation[],
): readonly Mark[] {
  const { steps, rows, stepSeconds } = availability;
  const { names, left, row, wide } = layoutOf(availability, place, width);
  return rows.flatMap(({ cells }, y) =>
    cells.map((cell, i) => {
      const from = steps[i] ?? 0;
      const range = { from, to: from + stepSeconds * 1000 };
      return {
        box: {
          x: left + i * wide,
          y: roomOf(annotations) + (y + 1) * row - ROW + 4,
          width: wide - GAP,
          height: ROW - 8,
        },
        title: `${names[y]}, ${formatSpan(range.from, range.to)}`,
        lines:
          cell === null
            ? [{ label: text.noProbe, value: '', colour: '--hover' }]
            : [
                {
                  label: text.answered,
                  value: `${formatCount(cell.up)} (${formatShare(cell.up / (cell.up + cell.down))})`,
                  colour: '--connection-cache',
                },
                { label: text.failed, value: formatCount(cell.down), colour: '--connection-failed' },
              ],
        range,
      };
    }),
  );
}

interface StepProps {
  readonly cell: Availability['rows'][number]['cells'][number];
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

function Step({ cell, x, top, width }: StepProps) {
  const inner = Math.max(0.5, width);
  const shape = { x, width: inner, rx: Math.min(3, inner / 3) };
  const whole = ROW - 8;
  if (cell === null) {
    return <rect {...shape} y={top + 4} height={whole} fill="var(--hover)" />;
  }
  const all = cell.up + cell.down;
  // Height, not only colour, so that it works in greyscale too.
  const tall = cell.down === 0 ? 0 : Math.max(4, (whole * cell.down) / all);
  return (
    <g>
      <rect {...shape} y={top + 4} height={whole} fill="var(--connection-cache)" />
      {tall === 0 ? null : <rect {...shape} y={top + ROW - 4 - tall} height={tall} fill="var(--connection-failed)" />}
    </g>
  );
}
