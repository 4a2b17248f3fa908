import { column } from '../../../analysis/tables/table-document.ts';
import { formatMs } from '../../../analysis/text/format.ts';
import { CONNECTION_LABELS, wordFor } from '../../../analysis/text/words.ts';
import type { HistogramDocument } from '../../../questions/histogram.ts';
import { describePeaks, type HistogramBars, histogramBars, namePeaks } from '../../model/histogram-bars.ts';
import { precisionOf } from '../../model/method-note.ts';
import { chartFigure } from '../../render/chart-figure.ts';
import { type HostContext, hostKey, hostPath } from '../host-context.ts';
import { nothingToDraw } from './nothing-to-draw.ts';

/** Histogram of durations on a log axis. It shows when the average lies between two peaks, where there are no requests. */
export function distributionPanel(context: HostContext): HTMLElement {
  return context.scope.panel<HistogramDocument>({
    key: hostKey(context, 'histogram'),
    name: 'Distribution',
    shape: 'chart',
    read: (signal, report) => context.view.client.read(hostPath(context, 'histogram', 'by=connection'), signal, report),
    render: (document) => [draw(context, document)],
  });
}

function draw({ cell, of }: HostContext, { cells, method }: HistogramDocument): HTMLElement {
  const { ttlb } = cell.phases;
  const bars = histogramBars(cells);
  if (ttlb === null || bars === null)
    return nothingToDraw('Distribution', 'No usable samples, so there is no distribution.');
  const named = cell.peaks ? namePeaks(cell.peaks, bars) : null;
  const { median, mean } = ttlb;
  return chartFigure({
    title: 'Distribution',
    of,
    note: `Requests by time to the last byte, ms, log axis. ${describePeaks(named)} ${precisionOf(method)}.`,
    words: `Median ${formatMs(median)} ms, average ${formatMs(mean)} ms. ${describePeaks(named)}`,
    legend: bars.connections.map((connection) => ({
      label: wordFor(CONNECTION_LABELS, connection),
      colour: `--connection-${connection}`,
    })),
    table: tableOf(bars),
    draw: (charts, width) => charts.histogramChart(bars, { median, mean, peaks: named }, width),
  });
}

function tableOf({ bars, connections }: HistogramBars) {
  const edges = [...new Map(bars.map(({ from, to }) => [from, to]))].sort(([one], [other]) => one - other);
  return {
    title: 'Requests by time to the last byte',
    columns: [
      column('from', 'From', 'ms'),
      column('to', 'To', 'ms'),
      ...connections.map((connection) => column(connection, wordFor(CONNECTION_LABELS, connection), 'count')),
    ],
    rows: edges.map(([from, to]) => ({
      from,
      to,
      ...Object.fromEntries(
        connections.map((connection) => [
          connection,
          bars.find((bar) => bar.connection === connection && bar.from === from)?.count ?? 0,
        ]),
      ),
    })),
    notes: ['Four bins per octave; the upper end of a bin is exclusive.'],
  };
}
