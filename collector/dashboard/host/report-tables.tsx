import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { keepMeasuringText } from '../../analysis/text/finding-text.ts';
import { scenarioBins } from '../../charts/scenario-bins.ts';
import type { ReportDocument } from '../../questions/view.ts';
import { usePage } from '../app/page-context.ts';
import { Chart } from '../components/chart.tsx';
import { DataTable } from '../components/data-table.tsx';
import { memo } from '../components/memo.ts';
import { RouteLink } from '../components/route-link.tsx';
import { withOwn } from '../state/view-state.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel } from './host-panel.tsx';

const FIRST = { name: 'scenarios', label: 'Scenarios' };
/** The views of `/api/v1/report` that are shown here. */
const VIEWS = [
  FIRST,
  { name: 'ratios', label: 'Ratios' },
  { name: 'phases', label: 'Connect, wait, total' },
  { name: 'pages', label: 'Pages' },
];

/** Tables for comparing set-ups and pages, chosen by tabs; only the chosen one is loaded. */
export function ReportTables({ about }: { readonly about: About }) {
  const { state } = usePage();
  const chosen = VIEWS.find(({ name }) => name === state.own.table) ?? FIRST;
  return (
    <section class="seed-tables">
      <div class="section-head">
        <h2>Compare set-ups and pages</h2>
        <nav class="tabs" aria-label="Tables">
          {VIEWS.map((view) => (
            <RouteLink
              key={view.name}
              class="tab"
              to={withOwn(state, { table: view === FIRST ? '' : view.name })}
              current={view === chosen ? 'true' : undefined}
            >
              {view.label}
            </RouteLink>
          ))}
        </nav>
      </div>
      <HostPanel<ReportDocument> about={about} name={chosen.label} path="report" query={`view=${chosen.name}`}>
        {({ view: { tables, notes } }) => (
          <>
            {tables
              .filter((table) => table.rows.length > 0 || table.notes.length > 0)
              .map((table) =>
                table.title === 'Histogram' ? (
                  <ScenarioChart key={table.title} table={table} of={about.of} />
                ) : (
                  <DataTable
                    key={table.title}
                    name={table.title.toLowerCase()}
                    table={inWords(table)}
                    level={3}
                    sortable
                  />
                ),
              )}
            {notes.length === 0 ? null : (
              <ul class="notes">
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </HostPanel>
    </section>
  );
}

/** Replaces codes with texts. */
function inWords(table: TableDocument): TableDocument {
  return {
    ...table,
    rows: table.rows.map((row) =>
      typeof row.keepMeasuring === 'string' ? { ...row, keepMeasuring: keepMeasuringText(row.keepMeasuring, t) } : row,
    ),
  };
}

const ScenarioChart = memo(function ScenarioChart({
  table,
  of,
}: {
  readonly table: TableDocument;
  readonly of: string;
}) {
  const bins = scenarioBins(table);
  const names = [...new Set(bins.map(({ name }) => name))];
  return (
    <Chart
      title="Distribution of each scenario"
      of={of}
      note="Requests by time to the last byte, ms, log axis. Each row has its own vertical scale."
      words={`Histograms of ${names.join(', ')}.`}
      legend={[
        { label: 'reused connection', colour: '--connection-reused' },
        { label: 'new connection', colour: '--connection-new' },
      ]}
      table={table}
      draw={(charts, width) => charts.scenarioChart(bins, width, t)}
    />
  );
});
