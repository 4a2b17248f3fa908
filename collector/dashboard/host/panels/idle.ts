import { column } from '../../../analysis/tables/table-document.ts';
import type { HistogramDocument } from '../../../questions/histogram.ts';
import { describeKeepAlive, formatGap, keepAlive } from '../../model/keep-alive.ts';
import { chartFigure } from '../../render/chart-figure.ts';
import { type HostContext, hostKey, hostPath } from '../host-context.ts';
import { nothingToDraw } from './nothing-to-draw.ts';

/** Which pauses cost a handshake: a keep-alive timeout shows as an edge. */
export function idlePanel(context: HostContext): HTMLElement {
  return context.scope.panel<HistogramDocument>({
    key: hostKey(context, 'idle'),
    name: 'Pauses',
    shape: 'chart',
    read: (signal, report) =>
      context.view.client.read(hostPath(context, 'histogram', 'by=connection&time=idle'), signal, report),
    render: (document) => [draw(context, document)],
  });
}

const TITLE = 'Pauses and handshakes';

function draw({ of }: HostContext, { cells }: HistogramDocument): HTMLElement {
  const bins = (connection: string) => cells.find((cell) => cell.connection === connection)?.bins ?? [];
  const found = keepAlive(bins('new'), bins('reused'));
  if (found.steps.length === 0) {
    return nothingToDraw(TITLE, 'No browser reported the time since its last response from this host.');
  }
  return chartFigure({
    title: TITLE,
    of,
    note: `Requests by the time since the browser’s last response from this host, log axis. ${describeKeepAlive(found)}`,
    words: describeKeepAlive(found),
    legend: [
      { label: 'reused connection', colour: '--connection-reused' },
      { label: 'new connection', colour: '--connection-new' },
    ],
    table: {
      title: 'Requests by pause',
      columns: [
        column('from', 'Pause from', 'text'),
        column('to', 'to', 'text'),
        column('reused', 'Reused connection', 'count'),
        column('opened', 'New connection', 'count'),
      ],
      rows: found.steps.map(({ from, to, reused, opened }) => ({
        from: formatGap(from),
        to: formatGap(to),
        reused,
        opened,
      })),
      notes: ['A browser’s first request to a host has no preceding pause and is not counted here.'],
    },
    draw: (charts, width) => charts.idleChart(found, width),
  });
}
