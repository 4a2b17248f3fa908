import { type Child, element } from './element.ts';

type Charts = typeof import('../charts/plot-charts.ts');

export interface ChartFigure {
  readonly title: string;
  /** What is counted, in one line under the title. */
  readonly note: Child;
  /** Read out instead of the picture. */
  readonly words: string;
  readonly legend?: HTMLElement;
  /** The same numbers as text. */
  readonly table: HTMLTableElement;
  draw(charts: Charts, width: number): SVGSVGElement;
}

/** Of the last picture under each title, px. */
const heights = new Map<string, number>();

let loaded: Promise<Charts> | null = null;

/** Fetches the chart library once, the first time a chart is wanted. A failed load is tried again by the next one. */
export function loadCharts(): Promise<Charts> {
  loaded ??= import('../charts/plot-charts.ts').catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

/** A chart with its title and its table. It is drawn once its width is known and again whenever that changes. */
export function chartFigure(figure: ChartFigure): HTMLElement {
  const picture = element('div', { class: 'picture', role: 'img', 'aria-label': figure.words });
  const name = `table ${figure.title}`;
  const made = element(
    'figure',
    { class: 'chart' },
    element('figcaption', {}, element('h3', {}, figure.title), element('p', { class: 'quiet small' }, figure.note)),
    figure.legend ?? null,
    picture,
    element(
      'details',
      { class: 'as-table', 'data-keep': true },
      element('summary', { 'data-focus': name }, 'Numbers as a table'),
      element('div', { class: 'table-box', tabindex: 0, role: 'region', 'aria-label': figure.title }, figure.table),
    ),
  );
  // As high as it was: a refresh must not move what is below.
  picture.style.minHeight = `${heights.get(figure.title) ?? 0}px`;
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
        element(
          'p',
          { class: 'quiet' },
          `The chart could not be drawn (${String(error)}). Its numbers are in the table.`,
        ),
      );
    }
  });
  observer.observe(picture);
  return made;
}
