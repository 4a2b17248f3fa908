import { column } from '../../../analysis/tables/table-document.ts';
import { plural } from '../../../analysis/text/format.ts';
import type { TimelineDocument } from '../../../questions/timeline.ts';
import { precisionOf } from '../../model/method-note.ts';
import { formatStep, type TimelinePoint, timelinePoints, timelineTop } from '../../model/timeline-points.ts';
import { chartFigure } from '../../render/chart-figure.ts';
import { formatMoment } from '../../state/time-range.ts';
import { type HostContext, hostKey, hostPath } from '../host-context.ts';
import { nothingToDraw } from './nothing-to-draw.ts';

/** Median and average over time, with percentile bands. */
export function timelinePanel(context: HostContext): HTMLElement {
  return context.scope.panel<TimelineDocument>({
    key: hostKey(context, 'timeline'),
    name: 'Timeline',
    shape: 'chart',
    read: (signal, report) => context.view.client.read(hostPath(context, 'timeline', ''), signal, report),
    render: (document) => [draw(context, document)],
  });
}

function draw({ of }: HostContext, document: TimelineDocument): HTMLElement {
  const [cell] = document.cells;
  if (cell === undefined) return nothingToDraw('Over time', 'No usable samples, so there is no timeline.');
  const points = timelinePoints(document, cell);
  const measured = points.filter(({ median }) => median !== null);
  const empty = points.length - measured.length;
  const { cut } = timelineTop(points);
  const parts = [
    `Steps of ${formatStep(document.stepSeconds)}, time to the last byte, ms.`,
    empty === 0 ? null : `${plural(empty, 'step has', 'steps have')} no measurements: gaps, not zeros.`,
    cut ? 'The highest p95 and averages are cut off; the table has them.' : null,
    `${precisionOf(document.method)}.`,
  ];
  return chartFigure({
    title: 'Over time',
    of,
    note: parts.filter((part) => part !== null).join(' '),
    words: `Median and average of ${plural(measured.length, 'step')}.`,
    legend: [
      { label: 'median', colour: '--ink', mark: 'line' },
      { label: 'average', colour: '--mean', mark: 'line' },
      { label: 'middle half (p25 to p75)', colour: '--phase-wait', mark: 'band' },
      { label: 'p95', colour: '--phase-wait', mark: 'line' },
    ],
    table: tableOf(points),
    draw: (charts, width) => charts.timelineChart(points, width),
  });
}

function tableOf(points: readonly TimelinePoint[]) {
  return {
    title: 'Time to the last byte over time',
    columns: [
      column('from', 'From', 'text'),
      column('n', 'n', 'count'),
      column('median', 'Median', 'ms'),
      column('mean', 'Average', 'ms'),
      column('p25', 'p25', 'ms'),
      column('p75', 'p75', 'ms'),
      column('p95', 'p95', 'ms'),
    ],
    rows: points.map(({ at, n, median, mean, p25, p75, p95 }) => ({
      from: formatMoment(at.getTime()),
      n,
      median,
      mean,
      p25,
      p75,
      p95,
    })),
    notes: ['A dash marks a step without measurements.'],
  };
}
