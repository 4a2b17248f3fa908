import { fillColumns } from '../../analysis/tables/table-document.ts';
import type { HistogramDocument } from '../../questions/histogram.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { describeKeepAlive, formatGap, keepAlive } from '../model/keep-alive-gaps.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

const words = HOST.pauses;

/** Which pauses cost a handshake: a keep-alive timeout shows as an edge. */
export function Pauses({ about }: { readonly about: About }) {
  return (
    <HostPanel<HistogramDocument> about={about} name={words.name} path="histogram" query="by=connection&time=idle">
      {({ cells }) => <PausesChart cells={cells} of={about.of} />}
    </HostPanel>
  );
}

const PausesChart = memo(function PausesChart({ cells, of }: Pick<HistogramDocument, 'cells'> & Pick<About, 'of'>) {
  const bins = (connection: string) => cells.find((cell) => cell.connection === connection)?.bins ?? [];
  const found = keepAlive(bins('new'), bins('reused'));
  if (found.steps.length === 0) {
    return <NothingToDraw title={words.title}>{words.nothing}</NothingToDraw>;
  }
  return (
    <Chart
      title={words.title}
      of={of}
      note={words.note(describeKeepAlive(found))}
      words={describeKeepAlive(found)}
      legend={[
        { label: t.connections.reused, colour: '--connection-reused', series: 'reused' },
        { label: t.connections.new, colour: '--connection-new', series: 'new' },
      ]}
      table={{
        title: words.table,
        ...fillColumns(found.steps, [
          ['from', words.from, 'text', ({ from }) => formatGap(from)],
          ['to', words.to, 'text', ({ to }) => formatGap(to)],
          ['reused', words.reused, 'count'],
          ['opened', words.opened, 'count'],
        ]),
        notes: [words.first],
      }}
      draw={(charts, width, hidden) => charts.idleChart(found, width, hidden)}
      opensRequests
    />
  );
});
