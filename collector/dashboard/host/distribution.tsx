import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import { wordFor } from '../../analysis/text/word-for.ts';
import type { HistogramDocument } from '../../questions/histogram.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { describePeaks, type HistogramBars, histogramBars, namePeaks } from '../model/histogram-bars.ts';
import { describePrecision } from '../model/method-note.ts';
import { formatMs } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

const words = HOST.distribution;

/** Histogram of durations on a log axis. It shows when the average lies between two peaks, where there are no requests. */
export function Distribution({ about }: { readonly about: About }) {
  return (
    <HostPanel<HistogramDocument> about={about} name={words.name} path="histogram" query="by=connection">
      {(document) => <DistributionChart document={document} cell={about.cell} of={about.of} />}
    </HostPanel>
  );
}

const DistributionChart = memo(function DistributionChart({
  document: { cells, method },
  cell,
  of,
}: { readonly document: HistogramDocument } & Pick<About, 'cell' | 'of'>) {
  const { ttlb } = cell.phases;
  const bars = histogramBars(cells);
  if (ttlb === null || bars === null) {
    return <NothingToDraw title={words.name}>{words.nothing}</NothingToDraw>;
  }
  const peaks = cell.peaks ? namePeaks(cell.peaks, bars) : null;
  const { median, mean } = ttlb;
  return (
    <Chart
      title={words.name}
      of={of}
      note={words.note(describePeaks(peaks), describePrecision(method))}
      words={words.words(formatMs(median), formatMs(mean), describePeaks(peaks))}
      legend={bars.connections.map((connection) => ({
        label: wordFor(t.connections, connection),
        colour: `--connection-${connection}`,
        series: connection,
      }))}
      table={tableOf(bars)}
      draw={(charts, width, hidden) =>
        charts.histogramChart(histogramBars(cells, hidden) ?? bars, { median, mean, peaks }, width)
      }
      opensRequests
    />
  );
});

function tableOf({ bars, connections }: HistogramBars): TableDocument {
  const edges = [...new Map(bars.map(({ from, to }) => [from, to]))].sort(([one], [other]) => one - other);
  return {
    title: words.table,
    columns: [
      column('from', t.charts.from, 'ms'),
      column('to', t.charts.to, 'ms'),
      ...connections.map((connection) => column(connection, wordFor(t.connections, connection), 'count')),
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
    notes: [words.bins],
  };
}
