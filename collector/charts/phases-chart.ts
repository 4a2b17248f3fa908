import { axisX, barX, gridX, ruleX, text } from '@observablehq/plot';
import type { Texts } from '../analysis/text/english.ts';
import { countTicks, draw } from './draw.ts';
import type { Drawing } from './drawing.ts';
import { BEFORE, BEHIND } from './marks.ts';
import type { AveragePiece, PhaseBars, PhaseLine } from './phase-bars.ts';

const LEFT = 78;
const RIGHT = 96;
/** The label of a narrower piece would not fit, px. */
const LABEL_ROOM = 58;

/** The average request: per-request means stacked, ending at mean ttlb, with the median marked. */
export function averageChart(bars: PhaseBars, width: number, { chart, numbers }: Texts): Drawing {
  const longest = Math.max(bars.mean, bars.median, bars.pieces.at(-1)?.to ?? 0);
  const ticks = countTicks(width - LEFT - RIGHT);
  const perPx = longest / Math.max(1, width - LEFT - RIGHT);
  const roomy = bars.pieces.filter(({ value }) => value / perPx >= LABEL_ROOM);
  const { svg, x, y, row } = draw({
    width,
    height: 104,
    margins: { top: 26, right: RIGHT, bottom: 30, left: LEFT },
    x: { domain: [0, longest] },
    y: { axis: null, domain: ['average'] },
    marks: [
      gridX({ ticks }),
      axisX({ ticks, tickFormat: numbers.tick, label: null, tickSize: 0 }),
      barX(bars.pieces as AveragePiece[], {
        x1: 'from',
        x2: 'to',
        y: () => 'average',
        fill: (piece: AveragePiece) => `var(--phase-${piece.colour})`,
        insetLeft: 0.5,
        insetRight: 0.5,
        rx: 2,
        title: (piece: AveragePiece) => `${piece.label}: ${numbers.ms(piece.value)} ms ${chart.perRequest}`,
      }),
      text(roomy, {
        x: (piece: AveragePiece) => (piece.from + piece.to) / 2,
        y: () => 'average',
        text: (piece: AveragePiece) => `${piece.label}\n${numbers.ms(piece.value)}`,
        fill: (piece: AveragePiece) => `var(--on-phase-${piece.colour})`,
        fontWeight: 600,
      }),
      text([chart.average], {
        x: () => 0,
        y: () => 'average',
        text: (label: string) => label,
        ...BEFORE,
      }),
      text([bars.mean], {
        x: () => longest,
        y: () => 'average',
        text: (mean: number) => `${numbers.ms(mean)} ms`,
        textAnchor: 'start',
        dx: 8,
        fill: 'var(--ink)',
        fontWeight: 700,
        fontSize: 14,
      }),
      ruleX([bars.median], { stroke: 'var(--ink)', strokeWidth: 2, insetTop: -6, insetBottom: -4 }),
      text([bars.median], {
        x: (median: number) => median,
        frameAnchor: 'top',
        text: (median: number) => chart.medianOf(numbers.ms(median)),
        textAnchor: bars.median > longest * 0.75 ? 'end' : bars.median < longest * 0.2 ? 'start' : 'middle',
        dy: -18,
        fill: 'var(--ink)',
        fontWeight: 700,
      }),
    ],
  });
  const marks = bars.pieces.map((piece) => ({
    box: { x: x(piece.from), y: y('average'), width: x(piece.to) - x(piece.from), height: row },
    title: piece.label,
    lines: [
      { label: chart.perRequest, value: `${numbers.ms(piece.value)} ms`, colour: `--phase-${piece.colour}` },
      ...(bars.mean === 0 ? [] : [{ label: chart.ofAverage, value: numbers.wholeShare(piece.value / bars.mean) }]),
    ],
  }));
  return { svg, marks };
}

/** Each phase on its own: median over average, from zero, never stacked. `hidden` leaves out `median` or `mean`. */
export function phasesChart(
  bars: PhaseBars,
  width: number,
  texts: Texts,
  hidden: ReadonlySet<string> = new Set(),
): Drawing {
  const { chart, numbers } = texts;
  const lineTitle = (line: PhaseLine) => titleOf(line, texts);
  const known = bars.lines.filter((line) => line.median !== null && line.mean !== null);
  const medians = hidden.has('median') ? [] : known;
  const means = hidden.has('mean') ? [] : known;
  const longest = Math.max(
    0.1,
    ...medians.map(({ median, p75 }) => Math.max(median ?? 0, p75 ?? 0)),
    ...means.map(({ mean }) => mean ?? 0),
  );
  const ticks = countTicks(width - LEFT - RIGHT);
  const unknown = bars.lines.filter(({ reason }) => reason !== null);
  const fill = (line: PhaseLine) => `var(--phase-${line.phase})`;
  const common = { y: 'label', x1: 0 } as const;
  const { svg, y, row } = draw({
    width,
    height: 44 * bars.lines.length + 34,
    margins: { top: 4, right: RIGHT, bottom: 30, left: LEFT },
    x: { domain: [0, longest] },
    y: { domain: bars.lines.map(({ label }) => label), axis: null },
    marks: [
      gridX({ ticks }),
      axisX({ ticks, tickFormat: numbers.tick, label: null, tickSize: 0 }),
      text(bars.lines as PhaseLine[], {
        x: () => 0,
        y: 'label',
        text: 'label',
        ...BEFORE,
        dy: -5,
      }),
      text(bars.lines as PhaseLine[], {
        x: () => 0,
        y: 'label',
        text: (line: PhaseLine) => (line.perConnection ? chart.perConnection : chart.perRequest),
        ...BEFORE,
        dy: 9,
        fill: 'var(--quiet)',
      }),
      barX(medians, { ...common, x2: 'median', fill, insetTop: 5, insetBottom: 22, rx: 2, title: lineTitle }),
      barX(means, {
        ...common,
        x2: 'mean',
        fill,
        fillOpacity: 0.38,
        stroke: fill,
        strokeWidth: 1.25,
        insetTop: 23,
        insetBottom: 5,
        rx: 2,
        title: lineTitle,
      }),
      text(medians, {
        x: 'median',
        y: 'label',
        text: (line: PhaseLine) => numbers.ms(line.median ?? 0),
        ...BEHIND,
        dy: -8,
        fontWeight: 700,
      }),
      text(means, {
        x: 'mean',
        y: 'label',
        text: (line: PhaseLine) => numbers.ms(line.mean ?? 0),
        ...BEHIND,
        dy: 9,
      }),
      text(unknown, {
        x: () => 0,
        y: 'label',
        text: (line: PhaseLine) => `– ${line.reason}`,
        ...BEHIND,
        fill: 'var(--quiet)',
        lineWidth: Math.max(8, (width - LEFT - 12) / 12),
      }),
    ],
  });
  const marks = bars.lines.map((line) => ({
    box: { x: 0, y: y(line.label), width, height: row },
    title: `${line.label} (${line.perConnection ? chart.newConnectionsOnly : chart.perRequest})`,
    lines: linesOf(line, texts),
    ...(line.reason === null && {
      requests: { metric: line.phase, ...(line.perConnection && { connection: ['new'] }) },
    }),
  }));
  return { svg, marks };
}

function linesOf(
  { phase, n, median, mean, p25, p75, reason, belowClockStep }: PhaseLine,
  { chart, numbers, phaseMeanings }: Texts,
) {
  const ms = (value: number | null) => `${numbers.ms(value ?? 0)} ms`;
  const meaning = { label: phaseMeanings[phase], value: '' };
  if (reason !== null) return [meaning, { label: reason, value: '' }];
  return [
    meaning,
    { label: chart.median, value: ms(median), colour: `--phase-${phase}` },
    { label: chart.average, value: ms(mean) },
    { label: 'p25', value: ms(p25) },
    { label: 'p75', value: ms(p75) },
    { label: 'n', value: numbers.count(n) },
    ...(belowClockStep ? [{ label: chart.belowClockStep, value: '' }] : []),
  ];
}

function titleOf({ label, perConnection, n, median, mean, p25, p75 }: PhaseLine, { chart, numbers }: Texts): string {
  const ms = (value: number | null) => numbers.ms(value ?? 0);
  const basis = perConnection ? chart.newConnectionsOnly : chart.perRequest;
  return `${label} (${basis}, n ${n}): ${chart.medianAndAverage(ms(median), ms(mean))}, ${chart.middleHalf(ms(p25), ms(p75))}`;
}
