import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { t } from '../text/t.ts';
import { DataTable } from './data-table.tsx';
import { type ExportedChart, savePng, saveSvg } from './export-chart.ts';
import { Legend, type LegendItem } from './legend.tsx';
import { loadCharts } from './load-charts.ts';

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
  readonly draw?: (charts: Awaited<ReturnType<typeof loadCharts>>, width: number) => SVGSVGElement;
  /** A chart drawn without the library: an `<svg>` of this width. */
  readonly picture?: (width: number) => ComponentChildren;
}

/** A chart with its title, table and downloads. It is drawn once its width is known, and again when that changes. */
export function Chart({ title, note, words, legend = [], table, of, draw, picture }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const problem = usePlot(box, width, draw);
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
      {legend.length === 0 ? null : <Legend items={legend} />}
      <div ref={box} class="picture" role="img" aria-label={words}>
        {problem === null ? null : <p class="quiet">{t.charts.notDrawn(problem)}</p>}
        {width === 0 ? null : picture?.(width)}
      </div>
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

/** Draws with the chart library into the box, and returns why it could not, or null. */
function usePlot(ref: RefObject<HTMLElement | null>, width: number, draw: ChartProps['draw']): string | null {
  const [problem, setProblem] = useState<string | null>(null);
  const drawn = useRef<SVGSVGElement | null>(null);
  useLayoutEffect(() => {
    if (draw === undefined || width === 0) return;
    let current = true;
    const show = (svg: SVGSVGElement | null, why: string | null) => {
      const before = drawn.current;
      drawn.current = svg;
      if (svg === null) before?.remove();
      else if (before !== null) before.replaceWith(svg);
      else ref.current?.append(svg);
      setProblem(why);
    };
    loadCharts()
      .then((charts) => {
        if (current) show(draw(charts, width), null);
      })
      .catch((error: unknown) => {
        if (current) show(null, String(error));
      });
    return () => {
      current = false;
    };
  }, [ref, width, draw]);
  return problem;
}
