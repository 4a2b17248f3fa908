import { column, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { TimelineDocument } from '../../questions/timeline.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { precisionOf } from '../model/method-note.ts';
import { formatStep, type TimelinePoint, timelinePoints, timelineTop } from '../model/timeline-points.ts';
import { formatMoment } from '../state/time-range.ts';
import { plural } from '../text/format.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

/** Median and average over time, with percentile bands. */
export function Timeline({ about }: { readonly about: About }) {
  return (
    <HostPanel<TimelineDocument> about={about} name="Timeline" path="timeline">
      {(document) => <TimelineChart document={document} of={about.of} />}
    </HostPanel>
  );
}

const TimelineChart = memo(function TimelineChart({
  document,
  of,
}: {
  readonly document: TimelineDocument;
  readonly of: string;
}) {
  const [cell] = document.cells;
  if (cell === undefined) {
    return <NothingToDraw title="Over time">No usable samples, so there is no timeline.</NothingToDraw>;
  }
  const points = timelinePoints(document, cell);
  const measured = points.filter(({ median }) => median !== null);
  const empty = points.length - measured.length;
  const parts = [
    `Steps of ${formatStep(document.stepSeconds)}, time to the last byte, ms.`,
    empty === 0 ? null : `${plural(empty, 'step has', 'steps have')} no measurements: gaps, not zeros.`,
    timelineTop(points).cut ? 'The highest p95 and averages are cut off; the table has them.' : null,
    `${precisionOf(document.method)}.`,
  ];
  return (
    <Chart
      title="Over time"
      of={of}
      note={parts.filter((part) => part !== null).join(' ')}
      words={`Median and average of ${plural(measured.length, 'step')}.`}
      legend={[
        { label: 'median', colour: '--ink', mark: 'line' },
        { label: 'average', colour: '--mean', mark: 'line' },
        { label: 'middle half (p25 to p75)', colour: '--phase-wait', mark: 'band' },
        { label: 'p95', colour: '--phase-wait', mark: 'line' },
      ]}
      table={tableOf(points)}
      draw={(charts, width) => charts.timelineChart(points, width)}
    />
  );
});

function tableOf(points: readonly TimelinePoint[]): TableDocument {
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
