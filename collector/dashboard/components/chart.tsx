import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import type { Drawing, Mark } from '../../charts/drawing.ts';
import { AnnotationList } from '../annotations/annotation-list.tsx';
import type { Annotations } from '../annotations/use-annotations.ts';
import { usePage } from '../app/page-context.ts';
import { formatRequests } from '../model/requests-behind.ts';
import { withOwn } from '../state/view-state.ts';
import { zoomInto } from '../state/zoom.ts';
import { t } from '../text/t.ts';
import { ChartMarks } from './chart-marks.tsx';
import { DataTable } from './data-table.tsx';
import { type ExportedChart, savePng, saveSvg } from './export-chart.ts';
import { Legend, type LegendItem } from './legend.tsx';
import { loadCharts } from './load-charts.ts';
import { ZoomOut } from './zoom-out.tsx';

interface ChartProps {
  readonly title: string;
  /** One line under the title that says what is counted. */
  readonly note: string;
  /** Text alternative of the chart. */
  readonly words: string;
  readonly legend?: readonly LegendItem[];
  /** The chart's numbers. */
  readonly table: TableDocument;
  /** Caption of an exported chart: host, type and range. */
  readonly of?: string;
  /** A chart that needs the chart library. */
  readonly draw?: (
    charts: Awaited<ReturnType<typeof loadCharts>>,
    width: number,
    /** What the legend has switched off. */
    hidden: ReadonlySet<string>,
  ) => Drawing;
  /** A chart drawn without the library: an `<svg>` of this width. */
  readonly picture?: (width: number) => ComponentChildren;
  /** What can be pointed at in a `picture`. */
  readonly marks?: (width: number) => readonly Mark[];
  /** What happened in the time it shows. */
  readonly annotations?: Annotations;
  /** What a zoom adds to the address so that the chart keeps its subject, where the view would choose it again. */
  readonly zoomKeeps?: Readonly<Record<string, string>>;
  /** Its view has the dialog that shows the requests behind a mark. */
  readonly opensRequests?: boolean | undefined;
}

/**
 * A chart with its title, table and downloads. It is drawn once its width is known, and again when that changes. Tooltips,
 * the selection of a time, and the legend's switches follow from the marks and series that it declares.
 */
export function Chart({
  title,
  note,
  words,
  legend = [],
  table,
  of,
  draw,
  picture,
  marks,
  annotations,
  zoomKeeps = {},
  opensRequests,
}: ChartProps) {
  const { state, navigate } = usePage();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [hidden, toggle] = useHiddenSeries(title);
  const { problem, drawn } = usePlot(box, width, hidden, draw);
  const pointed = drawn ?? (width === 0 ? [] : (marks?.(width) ?? []));
  const overTime = pointed.some(({ range }) => range !== undefined);
  const save = (as: (svg: SVGSVGElement, chart: ExportedChart) => void) => {
    const svg = box.current?.querySelector('svg');
    if (!svg) return;
    const style = getComputedStyle(svg);
    as(svg, {
      title,
      lines: [...(of === undefined ? [] : [of]), note],
      legend: legend.map(({ label, colour }) => ({ label, colour: style.getPropertyValue(colour).trim() })),
    });
  };
  return (
    <figure class="chart" data-chart={title}>
      <figcaption>
        <div class="chart-head">
          <h3>{title}</h3>
          <span class="tools">
            {overTime ? <ZoomOut /> : null}
            <button
              type="button"
              class="tool"
              aria-label={t.charts.download(title, 'SVG')}
              onClick={() => save(saveSvg)}
            >
              SVG
            </button>
            <button
              type="button"
              class="tool"
              aria-label={t.charts.download(title, 'PNG')}
              onClick={() => save((svg, chart) => void savePng(svg, chart))}
            >
              PNG
            </button>
          </span>
        </div>
        <p class="quiet small">{note}</p>
      </figcaption>
      {legend.length === 0 ? null : <Legend items={legend} hidden={hidden} toggle={toggle} />}
      <div class="plot-frame">
        <div ref={box} class="picture" role="img" aria-label={words}>
          {problem === null ? null : <p class="quiet">{t.charts.notDrawn(problem)}</p>}
          {width === 0 ? null : picture?.(width)}
        </div>
        <ChartMarks
          title={title}
          marks={pointed}
          open={
            opensRequests === true
              ? ({ requests }) => navigate(withOwn(state, { requests: formatRequests(requests ?? {}) }))
              : undefined
          }
          zoom={overTime ? (range) => navigate(zoomInto(withOwn(state, zoomKeeps), range)) : undefined}
        />
      </div>
      {annotations === undefined ? null : <AnnotationList {...annotations} />}
      <details class="as-table">
        <summary>{t.charts.asTable}</summary>
        <DataTable name={title} table={table} level={3} bare />
      </details>
    </figure>
  );
}

/** In whole px; 0 until measured. It is measured before the first paint, so that nothing below the chart jumps. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** Draws with the chart library into the box; `problem` is why it could not, and `drawn` what can be pointed at. */
function usePlot(
  ref: RefObject<HTMLElement | null>,
  width: number,
  hidden: ReadonlySet<string>,
  draw: ChartProps['draw'],
): { readonly problem: string | null; readonly drawn: readonly Mark[] | null } {
  const [result, setResult] = useState<{ readonly problem: string | null; readonly drawn: readonly Mark[] | null }>({
    problem: null,
    drawn: null,
  });
  const shown = useRef<SVGSVGElement | null>(null);
  useLayoutEffect(() => {
    if (draw === undefined || width === 0) return;
    let current = true;
    const show = (drawing: Drawing | null, problem: string | null) => {
      const before = shown.current;
      shown.current = drawing?.svg ?? null;
      if (drawing === null) before?.remove();
      else if (before !== null) before.replaceWith(drawing.svg);
      else ref.current?.append(drawing.svg);
      setResult({ problem, drawn: drawing?.marks ?? null });
    };
    loadCharts()
      .then((charts) => {
        if (current) show(draw(charts, width, hidden), null);
      })
      .catch((error: unknown) => {
        if (current) show(null, String(error));
      });
    return () => {
      current = false;
    };
  }, [ref, width, hidden, draw]);
  return result;
}

/** By chart. It outlives the chart, which another range or filter replaces. */
const hiddenIn = new Map<string, ReadonlySet<string>>();

/** The series that a chart's legend has switched off. */
export function useHiddenSeries(chart: string): readonly [ReadonlySet<string>, (series: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => hiddenIn.get(chart) ?? new Set());
  const toggle = (series: string) => {
    const next = new Set(hidden);
    if (!next.delete(series)) next.add(series);
    hiddenIn.set(chart, next);
    setHidden(next);
  };
  return [hidden, toggle];
}
