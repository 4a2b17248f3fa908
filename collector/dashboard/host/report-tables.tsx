import type { TableDocument } from '../../analysis/tables/table-document.ts';
import { scenarioBins } from '../../charts/scenario-bins.ts';
import type { ReportDocument } from '../../questions/view.ts';
import { usePage } from '../app/page-context.ts';
import { Chart } from '../components/chart.tsx';
import { DataTable } from '../components/data-table.tsx';
import { memo } from '../components/memo.ts';
import { RouteLink } from '../components/route-link.tsx';
import { withOwn } from '../state/view-state.ts';
import { HOST } from '../text/host.ts';
import { t } from '../text/t.ts';
import { type About, HostPanel } from './host-panel.tsx';
import { reportTableWords, scenarioName } from './report-table-words.ts';
import { Sites } from './sites.tsx';

/** The views of `/api/v1/report` that are shown here. */
const VIEWS = ['scenarios', 'ratios', 'phases', 'pages'] as const;
/** Besides, a table with a question of its own. */
const TABS = [...VIEWS, 'sites'] as const;
const [FIRST] = TABS;

/** Tables for comparing set-ups and pages, chosen by tabs; only the chosen one is loaded. */
export function ReportTables({ about }: { readonly about: About }) {
  const { state } = usePage();
  const chosen = TABS.find((tab) => tab === state.own.table) ?? FIRST;
  return (
    <section class="seed-tables">
      <div class="section-head">
        <h2>{HOST.compareTables}</h2>
        <nav class="tabs" aria-label={HOST.tables}>
          {TABS.map((tab) => (
            <RouteLink
              key={tab}
              class="tab"
              to={withOwn(state, { table: tab === FIRST ? '' : tab })}
              current={tab === chosen ? 'true' : undefined}
            >
              {HOST.views[tab]}
            </RouteLink>
          ))}
        </nav>
      </div>
      {chosen === 'sites' ? <Sites host={about.host} /> : <ReportTable about={about} view={chosen} />}
    </section>
  );
}

function ReportTable({ about, view }: { readonly about: About; readonly view: (typeof VIEWS)[number] }) {
  return (
    <HostPanel<ReportDocument> about={about} name={HOST.views[view]} path="report" query={`view=${view}`}>
      {({ view: { tables, notes } }) => (
        <>
          {tables
            .filter((table) => table.rows.length > 0 || table.notes.length > 0)
            .map((table) =>
              isHistogram(table) ? (
                <ScenarioChart key={table.title} table={table} of={about.of} />
              ) : (
                <DataTable
                  key={table.title}
                  name={table.title.toLowerCase()}
                  table={reportTableWords(table)}
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
  );
}

/** By its columns: its title is in the page's language. */
function isHistogram({ columns }: TableDocument): boolean {
  return ['from', 'to', 'count'].every((name) => columns.some((column) => column.name === name));
}

const ScenarioChart = memo(function ScenarioChart({
  table,
  of,
}: Pick<About, 'of'> & { readonly table: TableDocument }) {
  const bins = scenarioBins(table, scenarioName);
  const names = [...new Set(bins.map(({ name }) => name))];
  return (
    <Chart
      title={HOST.scenarios.title}
      of={of}
      note={HOST.scenarios.note}
      words={HOST.scenarios.words(names.join(', '))}
      legend={[
        { label: t.connections.reused, colour: '--connection-reused' },
        { label: t.connections.new, colour: '--connection-new' },
      ]}
      table={reportTableWords(table)}
      draw={(charts, width) => charts.scenarioChart(bins, width, t)}
    />
  );
});
