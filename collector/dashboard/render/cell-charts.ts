import type { SummaryCell } from '../../../shared/summary/summary-document.ts';
import type { ConnectionLine } from '../charts/connections-chart.ts';
import { describeConnections } from '../model/connection-shares.ts';
import { DASH, formatCount, formatDifference, formatMs, formatShare } from '../model/format.ts';
import { gapSteps } from '../model/gap-steps.ts';
import { type PhaseBars, type PhaseLine, phaseBars } from '../model/phase-bars.ts';
import { CONNECTION_LABELS } from '../model/words.ts';
import { chartFigure } from './chart-figure.ts';
import { element } from './element.ts';
import { numberTable } from './number-table.ts';

/** Where the average request spends its time; null where nothing was usable. */
export function averageFigure(cell: SummaryCell): HTMLElement | null {
  const bars = phaseBars(cell);
  if (bars === null) return null;
  const pieces = bars.pieces.map(({ label, value }) => `${label} ${formatMs(value)}`).join(', ');
  return chartFigure({
    title: 'The average request',
    note: ['Means per request, stacked; a reused connection counts 0.', bars.note]
      .filter((part) => part !== null)
      .join(' '),
    words: `Average ${formatMs(bars.mean)} ms, median ${formatMs(bars.median)} ms. Parts of the average: ${pieces} ms.`,
    table: averageTable(bars),
    draw: (charts, width) => charts.averageChart(bars, width),
  });
}

/** Median beside average of each phase; null where nothing was usable. */
export function phasesFigure(cell: SummaryCell): HTMLElement | null {
  const bars = phaseBars(cell);
  if (bars === null) return null;
  return chartFigure({
    title: 'Each phase by itself',
    note: 'Not stacked: medians of parts do not add up. DNS, TCP and TLS over new connections only.',
    words: bars.lines.map(describeLine).join(' '),
    legend: pairLegend(),
    table: numberTable(
      'Median and average of each phase, ms',
      ['Phase', 'Counted', 'n', 'Median', 'Average', 'p25', 'p75', 'Why unknown'],
      bars.lines.map((line) => [
        line.label,
        line.perConnection ? 'per connection' : 'per request',
        formatCount(line.n),
        ...[line.median, line.mean, line.p25, line.p75].map((value) => (value === null ? DASH : formatMs(value))),
        line.reason ?? '',
      ]),
    ),
    draw: (charts, width) => charts.phasesChart(bars, width),
  });
}

/** Why the average is not the median; null where there is no gap to explain. */
export function gapFigure(cell: SummaryCell): HTMLElement | null {
  if (cell.gap === null) return null;
  const steps = gapSteps(cell.gap);
  const unknown = cell.gap.setupUnknown;
  return chartFigure({
    title: 'From median to average',
    note: `What lifts the average above the median, ms per request.${unknown > 0 ? ` The set-up of ${formatCount(unknown)} new connections is unknown and counts 0.` : ''}`,
    words: steps.map(({ label, value }) => `${label} ${formatMs(value)} ms`).join(', '),
    table: numberTable(
      'From median to average, ms',
      ['Step', 'ms'],
      steps.map(({ id, label, value }) => [
        label,
        id === 'median' || id === 'mean' ? formatMs(value) : formatDifference(value),
      ]),
    ),
    draw: (charts, width) => charts.gapChart(steps, width),
  });
}

/** Connection classes, a line a type. */
export function connectionsFigure(lines: readonly ConnectionLine[]): HTMLElement {
  const seen = [...new Set(lines.flatMap(({ shares }) => shares.map(({ connection }) => connection)))];
  const legend = element(
    'ul',
    { class: 'legend' },
    ...seen.map((connection) =>
      element(
        'li',
        {},
        element('span', { class: `swatch connection-${connection}`, 'aria-hidden': 'true' }),
        CONNECTION_LABELS[connection],
      ),
    ),
  );
  return chartFigure({
    title: 'Connections',
    note: 'Which requests paid for a new connection, and which never went over the network.',
    words: lines.map(({ label, shares }) => `${label}: ${describeConnections(shares)}.`).join(' '),
    legend,
    table: numberTable(
      'Samples by type and connection class',
      ['Type', ...seen.map((connection) => CONNECTION_LABELS[connection])],
      lines.map(({ label, shares }) => [
        label,
        ...seen.map((connection) => {
          const share = shares.find((one) => one.connection === connection);
          return share === undefined ? '0' : `${formatCount(share.count)} (${formatShare(share.share)})`;
        }),
      ]),
    ),
    draw: (charts, width) => charts.connectionsChart(lines, width),
  });
}

function averageTable(bars: PhaseBars): HTMLTableElement {
  return numberTable(
    'Parts of the average request, ms per request',
    ['Part', 'ms per request', 'Of the average'],
    [
      ...bars.pieces.map(({ label, value }) => [label, formatMs(value), formatShare(value / bars.mean)]),
      ['Average', formatMs(bars.mean), ''],
      ['Median', formatMs(bars.median), ''],
    ],
  );
}

function pairLegend(): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    element('li', {}, element('span', { class: 'swatch swatch-median', 'aria-hidden': 'true' }), 'median'),
    element('li', {}, element('span', { class: 'swatch swatch-mean', 'aria-hidden': 'true' }), 'average'),
  );
}

function describeLine(line: PhaseLine): string {
  if (line.reason !== null) return `${line.label} unknown: ${line.reason}.`;
  return `${line.label}${line.perConnection ? ' per connection' : ''}: median ${formatMs(line.median ?? 0)}, average ${formatMs(line.mean ?? 0)} ms.`;
}
