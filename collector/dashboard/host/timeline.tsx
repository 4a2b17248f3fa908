import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { TimelineDocument } from '../../questions/timeline.ts';
import { type Annotations, useAnnotations } from '../annotations/use-annotations.ts';
import { useChangeMarks } from '../annotations/use-change-marks.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { describePrecision } from '../model/method-note.ts';
import { formatStep, type TimelinePoint, timeAxis, timelinePoints, timelineTop } from '../model/timeline-points.ts';
import { localZone } from '../text/format.ts';
import { HOST } from '../text/host.ts';
import { formatMoment } from '../text/moment.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel, NothingToDraw } from './host-panel.tsx';

const words = HOST.timeline;

/** Median and average over time, with percentile bands. */
export function Timeline({ about }: { readonly about: About }) {
  return (
    <HostPanel<TimelineDocument> about={about} name={words.name} path="timeline">
      {(document) => <AnnotatedTimeline document={document} about={about} />}
    </HostPanel>
  );
}

/** Apart from the chart, which is drawn again only if there are other annotations. */
function AnnotatedTimeline({ document, about }: { readonly document: TimelineDocument; readonly about: About }) {
  return (
    <TimelineChart
      document={document}
      of={about.of}
      kind={about.kind}
      annotations={useAnnotations(about.host)}
      changes={useChangeMarks(about.host)}
    />
  );
}

interface TimelineChartProps {
  readonly document: TimelineDocument;
  readonly of: string;
  readonly kind: string;
  readonly annotations: Annotations;
  readonly changes: readonly ChartAnnotation[];
}

const TimelineChart = memo(function TimelineChart({ document, of, kind, annotations, changes }: TimelineChartProps) {
  const [cell] = document.cells;
  if (cell === undefined) {
    return <NothingToDraw title={words.title}>{words.nothing}</NothingToDraw>;
  }
  const points = timelinePoints(document, cell);
  const measured = points.filter(({ median }) => median !== null);
  const empty = points.length - measured.length;
  const parts = [
    words.stepSize(formatStep(document.stepSeconds)),
    t.charts.zone(localZone()),
    empty === 0 ? null : words.gaps(empty),
    timelineTop(points).cut ? words.cut : null,
    timeAxis(points).idle.length > 0 ? t.charts.idle : null,
    `${describePrecision(document.method)}.`,
  ];
  return (
    <Chart
      title={words.title}
      of={of}
      note={parts.filter((part) => part !== null).join(' ')}
      words={words.words(measured.length)}
      legend={[
        { label: t.charts.median, colour: '--ink', mark: 'line', series: 'median' },
        { label: t.charts.average, colour: '--mean', mark: 'line', series: 'mean' },
        { label: words.middleHalf, colour: '--phase-wait', mark: 'band', series: 'band' },
        { label: 'p95', colour: '--phase-wait', mark: 'line', series: 'p95' },
        { label: t.charts.volume, colour: '--quiet' },
      ]}
      table={tableOf(points)}
      draw={(charts, width, hidden) => charts.timelineChart(points, width, hidden, [...annotations.drawn, ...changes])}
      annotations={annotations}
      zoomKeeps={{ kind }}
      opensRequests
    />
  );
});

function tableOf(points: readonly TimelinePoint[]): TableDocument {
  return {
    title: words.table,
    ...fillColumns(points, [
      ['from', t.charts.from, 'text', ({ at }) => formatMoment(at.getTime())],
      ['n', t.charts.n, 'count'],
      ['median', t.charts.medianHead, 'ms'],
      ['mean', t.charts.averageHead, 'ms'],
      ['p25', 'p25', 'ms'],
      ['p75', 'p75', 'ms'],
      ['p95', 'p95', 'ms'],
    ]),
    notes: [words.dash],
  };
}
