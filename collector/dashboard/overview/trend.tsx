import { fillColumns, type TableDocument } from '../../analysis/tables/table-document.ts';
import type { ChartAnnotation } from '../../charts/chart-spec.ts';
import type { TimelineDocument } from '../../questions/timeline.ts';
import { type Annotations, useAnnotations } from '../annotations/use-annotations.ts';
import { useChangeMarks } from '../annotations/use-change-marks.ts';
import { usePage } from '../app/page-context.ts';
import { Chart } from '../components/chart.tsx';
import { memo } from '../components/memo.ts';
import { Panel } from '../components/panel.tsx';
import { ofWhat } from '../model/of-what.ts';
import { viewQuestion } from '../model/summary-queries.ts';
import { type TimelinePoint, timeAxis, timelinePoints } from '../model/timeline-points.ts';
import { resolveRange } from '../state/time-range.ts';
import { localZone } from '../text/format.ts';
import { formatMoment } from '../text/moment.ts';
import { t } from '../text/t.ts';

const texts = t.overview.trend;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest range that a step suits. Shorter ones need samples, which short ranges have few of. */
const STEPS = [
  { upTo: HOUR_MS, step: '1m' },
  { upTo: 6 * HOUR_MS, step: '15m' },
  { upTo: 3 * DAY_MS, step: '1h' },
  { upTo: 10 * DAY_MS, step: '6h' },
  { upTo: 200 * DAY_MS, step: '1d' },
] as const;

/** Median and average of everything in the view, by the hour or the day. */
export function Trend() {
  const page = usePage();
  const { from, to } = resolveRange(page.state.range, page.now());
  const extra = `&step=${trendStep(to - from)}&zone=${encodeURIComponent(localZone())}`;
  return (
    <Panel<TimelineDocument>
      name={texts.title}
      shape="chart"
      query={viewQuestion(page, 'timeline', { users: true, extra })}
    >
      {drawTrend}
    </Panel>
  );
}

const drawTrend = (document: TimelineDocument) => <AnnotatedTrend document={document} />;

/** Apart from the chart, which is drawn again only if there are other annotations. */
function AnnotatedTrend({ document }: { readonly document: TimelineDocument }) {
  return <TrendChart document={document} annotations={useAnnotations()} changes={useChangeMarks()} />;
}

interface TrendChartProps {
  readonly document: TimelineDocument;
  readonly annotations: Annotations;
  readonly changes: readonly ChartAnnotation[];
}

const TrendChart = memo(function TrendChart({ document, annotations, changes }: TrendChartProps) {
  const [cell] = document.cells;
  if (cell === undefined) return null;
  const points = timelinePoints(document, cell);
  const measured = points.filter(({ median }) => median !== null).length;
  return (
    <Chart
      title={texts.title}
      of={ofWhat([], document.method)}
      note={`${texts.note(document.stepSeconds)} ${timeAxis(points).idle.length > 0 ? `${t.charts.idle} ` : ''}${t.charts.zone(localZone())}`}
      words={texts.words(measured)}
      legend={[
        { label: t.overview.columns.median, colour: '--ink', mark: 'line', series: 'median' },
        { label: t.overview.columns.average, colour: '--mean', mark: 'line', series: 'mean' },
        { label: t.charts.volume, colour: '--quiet' },
      ]}
      table={tableOf(points)}
      draw={(charts, width, hidden) => charts.trendChart(points, width, hidden, [...annotations.drawn, ...changes])}
      annotations={annotations}
    />
  );
});

function tableOf(points: readonly TimelinePoint[]): TableDocument {
  const { columns } = t.overview;
  return {
    title: texts.title,
    ...fillColumns(points, [
      ['from', texts.from, 'text', ({ at }) => formatMoment(at.getTime())],
      ['n', texts.n, 'count'],
      ['median', columns.median, 'ms'],
      ['mean', columns.average, 'ms'],
    ]),
    notes: [],
  };
}

/** The step of the overview's trend for a range of this length, ms: from an hour on it is answered from rollups. */
export function trendStep(span: number): string {
  return STEPS.find(({ upTo }) => span <= upTo)?.step ?? '7d';
}
