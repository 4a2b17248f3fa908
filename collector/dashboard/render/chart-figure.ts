import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { type ExportedChart, savePng, saveSvg } from '../components/export-chart.ts';
import { loadCharts } from '../components/load-charts.ts';
import { dataTable } from './data-table.ts';
import { button, element } from './element.ts';
import { type LegendItem, legendList } from './legend.ts';

type Charts = typeof import('../charts/plot-charts.ts');

export interface ChartFigure {
  readonly title: string;
  /** One line under the title: what is counted. */
  readonly note: string;
  /** Text alternative of the chart. */
  readonly words: string;
  readonly legend?: readonly LegendItem[];
  /** The chart's numbers. */
  readonly table: TableDocument;
  /** Caption of an exported chart: host, type and range. */
  readonly of?: string;
  draw(charts: Charts, width: number): SVGSVGElement;
}

/** Height of the last chart by title, px. */
const heights = new Map<string, number>();

/** A chart with its title, table and downloads. It is drawn once its width is known, and again when that changes. */
export function chartFigure(figure: ChartFigure): HTMLElement {
  const { title, note, words, legend = [], table } = figure;
  const picture = element('div', { class: 'picture', role: 'img', 'aria-label': words });
  const made = element(
    'figure',
    { class: 'chart', 'data-chart': title },
    element(
      'figcaption',
      {},
      element('div', { class: 'chart-head' }, element('h3', {}, title), pictureTools(figure, picture)),
      element('p', { class: 'quiet small' }, note),
    ),
    legend.length === 0 ? null : legendList(legend),
    picture,
    element(
      'details',
      { class: 'as-table', 'data-keep': true },
      element('summary', { 'data-focus': `numbers ${title}` }, 'Show as table'),
      dataTable({ name: title, table, level: 3, bare: true }),
    ),
  );
  // Keeps the last height, so that a refresh does not move the content below.
  picture.style.minHeight = `${heights.get(title) ?? 0}px`;
  drawWhenWide(figure, picture);
  return made;
}

function drawWhenWide(figure: ChartFigure, picture: HTMLElement): void {
  let drawnAt = 0;
  const observer = new ResizeObserver(async ([entry]) => {
    if (!picture.isConnected) return observer.disconnect();
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width < 1 || width === drawnAt) return;
    drawnAt = width;
    try {
      const charts = await loadCharts();
      if (width !== drawnAt) return;
      const drawn = figure.draw(charts, width);
      heights.set(figure.title, drawn.height.baseVal.value);
      picture.style.minHeight = '';
      picture.replaceChildren(drawn);
    } catch (error) {
      drawnAt = 0;
      picture.replaceChildren(
        element('p', { class: 'quiet' }, `The chart could not be drawn (${String(error)}). The table has its numbers.`),
      );
    }
  });
  observer.observe(picture);
}

function pictureTools({ title, note, of, legend = [] }: ChartFigure, picture: HTMLElement): HTMLElement {
  const chart = (): ExportedChart => ({
    title,
    lines: [...(of === undefined ? [] : [of]), note],
    legend: legend.map(({ label, colour }) => ({
      label,
      colour: getComputedStyle(picture).getPropertyValue(colour).trim(),
    })),
  });
  const tool = (kind: 'SVG' | 'PNG', save: (svg: SVGSVGElement, chart: ExportedChart) => void) =>
    button(
      {
        class: 'tool',
        'data-focus': `${kind} ${title}`,
        'aria-label': `Download chart ${title} as ${kind}`,
      },
      () => {
        const svg = picture.querySelector('svg');
        if (svg !== null) save(svg, chart());
      },
      kind,
    );
  return element(
    'span',
    { class: 'tools' },
    tool('SVG', saveSvg),
    tool('PNG', (svg, exported) => void savePng(svg, exported)),
  );
}
