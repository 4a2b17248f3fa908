import type { TableDocument } from '../../../analysis/tables/table-document.ts';
import { keepMeasuringText } from '../../../analysis/text/finding-text.ts';
import { scenarioBins } from '../../../charts/scenario-bins.ts';
import type { ReportDocument } from '../../../questions/view.ts';
import { chartFigure } from '../../render/chart-figure.ts';
import { dataTable } from '../../render/data-table.ts';
import { element } from '../../render/element.ts';
import { withOwn } from '../../state/view-state.ts';
import { type HostContext, hostKey, hostPath } from '../host-context.ts';

/** The views of `/api/v1/report` that are shown here. */
const VIEWS = [
  { name: 'scenarios', label: 'Scenarios' },
  { name: 'ratios', label: 'Ratios' },
  { name: 'phases', label: 'Connect, wait, total' },
  { name: 'pages', label: 'Pages' },
] as const;

/** Tables for comparing set-ups and pages, chosen by tabs; only the chosen one is loaded. */
export function seedTablesPanel(context: HostContext): HTMLElement {
  const { state } = context.view;
  const chosen = VIEWS.find(({ name }) => name === state.own.table)?.name ?? 'scenarios';
  return element(
    'section',
    { class: 'seed-tables' },
    element(
      'div',
      { class: 'section-head' },
      element('h2', {}, 'Compare set-ups and pages'),
      element(
        'nav',
        { class: 'tabs', 'aria-label': 'Tables' },
        ...VIEWS.map(({ name, label }) =>
          element(
            'a',
            {
              href: context.view.link(withOwn(state, { table: name === 'scenarios' ? '' : name })),
              'data-route': true,
              'data-focus': `tables ${name}`,
              class: 'tab',
              'aria-current': name === chosen ? 'true' : null,
            },
            label,
          ),
        ),
      ),
    ),
    context.scope.panel<ReportDocument>({
      key: hostKey(context, `report ${chosen}`),
      name: VIEWS.find(({ name }) => name === chosen)?.label ?? chosen,
      shape: 'chart',
      read: (signal, report) => context.view.client.read(hostPath(context, 'report', `view=${chosen}`), signal, report),
      render: (document) => draw(context, document),
    }),
  );
}

function draw(context: HostContext, { view: { tables, notes } }: ReportDocument): readonly HTMLElement[] {
  const { state, navigate } = context.view;
  const shown = tables.filter(({ rows, notes: own }) => rows.length > 0 || own.length > 0);
  return [
    ...shown.map((table) => {
      if (table.title === 'Histogram') return histogramOf(context, table);
      const name = table.title.toLowerCase();
      return dataTable({
        name,
        table: inWords(table),
        level: 3,
        sort: state.sorts[name] ?? null,
        sortBy: (sort) => navigate({ ...state, sorts: { ...state.sorts, [name]: sort } }),
      });
    }),
    ...(notes.length === 0 ? [] : [element('ul', { class: 'notes' }, ...notes.map((note) => element('li', {}, note)))]),
  ];
}

/** Replaces codes by texts. */
function inWords(table: TableDocument): TableDocument {
  return {
    ...table,
    rows: table.rows.map((row) =>
      typeof row.keepMeasuring === 'string' ? { ...row, keepMeasuring: keepMeasuringText(row.keepMeasuring) } : row,
    ),
  };
}

function histogramOf({ of }: HostContext, table: TableDocument): HTMLElement {
  const bins = scenarioBins(table);
  const names = [...new Set(bins.map(({ name }) => name))];
  return chartFigure({
    title: 'Distribution of each scenario',
    of,
    note: 'Requests by time to the last byte, ms, log axis. Each row has its own vertical scale.',
    words: `Histograms of ${names.join(', ')}.`,
    legend: [
      { label: 'reused connection', colour: '--connection-reused' },
      { label: 'new connection', colour: '--connection-new' },
    ],
    table,
    draw: (charts, width) => charts.scenarioChart(bins, width),
  });
}
