import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { httpsCostLines } from '../../analysis/text/https-cost-text.ts';
import { type PageContext, useAnnouncement, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import type { View } from '../app/view.ts';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty } from '../components/states.tsx';
import { type Grouping, groupingLimits, toGrouping } from '../model/groupings.ts';
import { topQuery, usersQuery, viewKey, viewQuestion } from '../model/summary-queries.ts';
import { valueLabel } from '../model/value-label.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { useQuery } from '../query-cache/use-query.ts';
import { HTTPS_COST } from '../text/https-cost.ts';
import { t } from '../text/t.ts';
import { Changes } from './changes.tsx';
import { Findings } from './findings.tsx';
import { groupRows } from './group-rows.ts';
import { GroupedTable } from './grouped-table.tsx';
import { Headline } from './headline.tsx';
import { LongLived } from './long-lived.tsx';
import { ReportLinks } from './report-links.tsx';
import { FEW_SAMPLES, ThinDay } from './thin-day.tsx';
import { Trend } from './trend.tsx';
import { expectsOpen } from './use-folds.ts';

/** The groups of the table, and the hosts and types within them if a group is open. */
interface Summaries {
  readonly grouping: Grouping;
  readonly groups: SummaryDocument;
  readonly rows: SummaryDocument | null;
}

function summaries(context: Pick<PageContext, 'state' | 'client' | 'now'>): ViewQuery<Summaries> {
  const { state, client, now } = context;
  const grouping = toGrouping(state);
  const top = topQuery(groupingLimits(grouping)?.groups);
  return {
    key: `overview ${grouping} ${viewKey(state)}`,
    async read(signal, report) {
      const [groups, rows] = await Promise.all([
        client.summary(usersQuery(state, now(), { by: [grouping] }) + top, signal),
        expectsOpen(state, grouping) ? groupRows(context, grouping).read(signal, report) : null,
      ]);
      return { grouping, groups, rows };
    },
  };
}

/** The first view: the findings, or else the headline with its charts, the trend, and every app with its hosts and types. */
export const overview: View = {
  title: ({ filters }, names) => {
    const apps = (filters.target ?? []).map((app) => valueLabel('target', app, names));
    return [...apps, t.overview.title].join(' · ');
  },
  first: summaries,
  View() {
    return (
      <Panel<Summaries> name={t.overview.title} query={summaries(usePage())}>
        {(found) =>
          found.groups.cells.length === 0 ? <Empty method={found.groups.method} /> : <Overview {...found} />
        }
      </Panel>
    );
  },
};

function Overview({ grouping, groups, rows }: Summaries) {
  const { cells, method, leftOut } = groups;
  useAnnouncement(t.overview.groupsShown(cells.length));
  const samples = cells.reduce((sum, cell) => sum + cell.samples, 0);
  return (
    <>
      <h1 class="spoken">{t.overview.heading}</h1>
      <ThinDay samples={samples} />
      <Findings few={samples < FEW_SAMPLES}>
        <Headline grouping={grouping} />
      </Findings>
      <HttpsCosts />
      <LongLived />
      <Trend />
      <Changes />
      <GroupedTable grouping={grouping} groups={cells} members={rows?.cells ?? null} />
      {leftOut === undefined || leftOut.cells === 0 ? null : <p class="hint">{t.overview.group.leftOut(leftOut)}</p>}
      <ReportLinks />
      <MethodFooter method={method} />
    </>
  );
}

/** The others are behind a click. */
const SHOWN = 4;

/** What HTTPS costs the users of each app. */
function HttpsCosts() {
  const extra = `&include=httpsCost${topQuery(groupingLimits('target')?.groups)}`;
  const query = useQuery<SummaryDocument>(
    viewQuestion(usePage(), 'summary', { users: true, by: ['target'], extra }),
  ).state;
  const names = useAppNames();
  if (query.last === null || names === null) return null;
  const lines = httpsCostLines(query.last.value.cells, HTTPS_COST, names).map((line) => <li key={line}>{line}</li>);
  if (lines.length === 0) return null;
  return (
    <section class="https-costs hint" aria-label={HTTPS_COST.title}>
      <ul>{lines.slice(0, SHOWN)}</ul>
      {lines.length <= SHOWN ? null : (
        <details>
          <summary>{HTTPS_COST.all(lines.length)}</summary>
          <ul>{lines.slice(SHOWN)}</ul>
        </details>
      )}
    </section>
  );
}
