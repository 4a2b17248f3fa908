import { useMemo } from 'preact/hooks';
import type { Filters } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryCell, SummaryDocument, SummaryMethod } from '../../analysis/summary/summary-document.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import { useAppNames } from '../app/use-app-names.ts';
import type { View } from '../app/view.ts';
import { Finding } from '../components/finding.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty } from '../components/states.tsx';
import { useAnnouncement } from '../components/use-announcement.ts';
import { type Grouping, groupingLimits, groupingOf, rowDimensions } from '../model/groupings.ts';
import { headlineCell } from '../model/headline.ts';
import { ofWhat } from '../model/of-what.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { FEW_SAMPLES } from '../model/thin-day.ts';
import { type AppNames, valueLabel } from '../model/value-label.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { t } from '../text/t.ts';
import { Changes } from './changes.tsx';
import { Findings } from './findings.tsx';
import { LongLived } from './long-lived.tsx';
import { OverviewTable } from './overview-table.tsx';
import { ReportLinks } from './report-links.tsx';
import { ThinDay } from './thin-day.tsx';
import { Trend } from './trend.tsx';

const NO_FILTERS: Filters = {};

/** The groups of the table, and the hosts and types within them. */
interface Summaries {
  readonly grouping: Grouping;
  readonly groups: SummaryDocument;
  readonly rows: SummaryDocument;
}

function summaries({ state, client, now }: Pick<PageContext, 'state' | 'client' | 'now'>): ViewQuery<Summaries> {
  const grouping = groupingOf(state);
  const limits = groupingLimits(grouping);
  return {
    key: `overview ${grouping} ${viewKey(state)}`,
    async read(signal, report) {
      const at = now();
      const [groups, rows] = await Promise.all([
        client.summary(viewQuery(state, at, { by: [grouping] }) + topOf(limits?.groups), signal),
        client.summary(viewQuery(state, at, { by: rowDimensions(grouping) }) + topOf(limits?.rows), signal, report),
      ]);
      return { grouping, groups, rows };
    },
  };
}

function topOf(limit: number | undefined): string {
  return limit === undefined ? '' : `&top=${limit}`;
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
        {(found) => (found.rows.cells.length === 0 ? <Empty method={found.rows.method} /> : <Overview {...found} />)}
      </Panel>
    );
  },
};

function Overview({ grouping, groups, rows }: Summaries) {
  const names = useAppNames();
  const { cells, method } = rows;
  const headline = useMemo(() => headlineCell(cells), [cells]);
  useAnnouncement(t.overview.rowsShown(cells.length));
  const samples = groups.cells.reduce((sum, cell) => sum + cell.samples, 0);
  return (
    <>
      <h1 class="spoken">{t.overview.heading}</h1>
      <ThinDay samples={samples} />
      <Findings few={samples < FEW_SAMPLES}>
        {headline === null ? null : <Headline cell={headline} grouping={grouping} names={names} method={method} />}
      </Findings>
      <LongLived />
      <Trend />
      <Changes />
      <OverviewTable
        title={t.overview.tableTitle(t.dimensions[grouping])}
        caption={t.overview.tableCaption(t.dimensions[grouping])}
        cells={cells}
        groups={useMemo(() => ({ grouping, cells: groups.cells }), [grouping, groups])}
        filters={NO_FILTERS}
      />
      {groups.leftOut === undefined || groups.leftOut.cells === 0 ? null : (
        <p class="hint">{t.overview.group.leftOut(groups.leftOut)}</p>
      )}
      <ReportLinks />
      <MethodFooter method={method} />
    </>
  );
}

interface HeadlineProps {
  readonly cell: SummaryCell;
  readonly grouping: Grouping;
  readonly names: AppNames;
  readonly method: SummaryMethod;
}

/** The group is named above the sentence, which names the host and type. */
function Headline({ cell, grouping, names, method }: HeadlineProps) {
  const { host, type } = cell;
  const group = grouping === 'host' || grouping === 'type' ? null : valueLabel(grouping, cell[grouping], names);
  const subject = useMemo(() => {
    const { [grouping]: _group, ...others } = cell;
    return { ...others, host, type } as SummaryCell;
  }, [cell, grouping, host, type]);
  return <Finding cell={subject} heading={t.overview.findingHeading(group)} of={ofWhat([group, host, type], method)} />;
}
