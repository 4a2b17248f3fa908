import { column } from '../../analysis/tables/table-document.ts';
import type { HistogramDocument } from '../../questions/histogram.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { describeKeepAlive, formatGap, keepAlive } from '../model/keep-alive.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

const TITLE = 'Pauses and handshakes';

/** Which pauses cost a handshake: a keep-alive timeout shows as an edge. */
export function Pauses({ about }: { readonly about: About }) {
  return (
    <HostPanel<HistogramDocument> about={about} name="Pauses" path="histogram" query="by=connection&time=idle">
      {({ cells }) => <PausesChart cells={cells} of={about.of} />}
    </HostPanel>
  );
}

const PausesChart = memo(function PausesChart({ cells, of }: Pick<HistogramDocument, 'cells'> & Pick<About, 'of'>) {
  const bins = (connection: string) => cells.find((cell) => cell.connection === connection)?.bins ?? [];
  const found = keepAlive(bins('new'), bins('reused'));
  if (found.steps.length === 0) {
    return (
      <NothingToDraw title={TITLE}>No browser reported the time since its last response from this host.</NothingToDraw>
    );
  }
  return (
    <Chart
      title={TITLE}
      of={of}
      note={`Requests by the time since the browser’s last response from this host, log axis. ${describeKeepAlive(found)}`}
      words={describeKeepAlive(found)}
      legend={[
        { label: 'reused connection', colour: '--connection-reused' },
        { label: 'new connection', colour: '--connection-new' },
      ]}
      table={{
        title: 'Requests by pause',
        columns: [
          column('from', 'Pause from', 'text'),
          column('to', 'to', 'text'),
          column('reused', 'Reused connection', 'count'),
          column('opened', 'New connection', 'count'),
        ],
        rows: found.steps.map((step) => ({ ...step, from: formatGap(step.from), to: formatGap(step.to) })),
        notes: ['A browser’s first request to a host has no preceding pause and is not counted here.'],
      }}
      draw={(charts, width) => charts.idleChart(found, width)}
    />
  );
});
