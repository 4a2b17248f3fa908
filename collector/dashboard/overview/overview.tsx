import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { type PageContext, usePage } from '../app/page-context.ts';
import type { View } from '../app/view.ts';
import { Finding } from '../components/finding.tsx';
import { MethodFooter } from '../components/method-footer.tsx';
import { Panel } from '../components/panel.tsx';
import { Empty } from '../components/states.tsx';
import { useAnnouncement } from '../components/use-announcement.ts';
import { headlineCell } from '../model/headline.ts';
import { ofWhat } from '../model/of-what.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import { t } from '../text/t.ts';
import { OverviewTable } from './overview-table.tsx';
import { ReportLinks } from './report-links.tsx';

function summary({ state, client, now }: Pick<PageContext, 'state' | 'client' | 'now'>): ViewQuery<SummaryDocument> {
  return {
    key: `overview ${viewKey(state)}`,
    read: (signal, report) => client.summary(viewQuery(state, now(), { by: ['host', 'type'] }), signal, report),
  };
}

/** The first view: the headline with its charts, and all hosts × types. */
export const overview: View = {
  title: () => t.overview.title,
  first: summary,
  View() {
    return (
      <Panel<SummaryDocument> name={t.overview.title} query={summary(usePage())}>
        {({ cells, method }) =>
          cells.length === 0 ? <Empty method={method} /> : <Overview cells={cells} method={method} />
        }
      </Panel>
    );
  },
};

function Overview({ cells, method }: Pick<SummaryDocument, 'cells' | 'method'>) {
  const headline = headlineCell(cells);
  useAnnouncement(t.overview.rowsShown(cells.length));
  return (
    <>
      <h1 class="spoken">{t.overview.heading}</h1>
      {headline === null ? null : (
        <Finding
          cell={headline}
          heading={t.overview.findingHeading}
          of={ofWhat([headline.host, headline.type], method)}
        />
      )}
      <OverviewTable
        title={t.overview.tableTitle}
        caption={t.overview.tableCaption}
        oneHost={false}
        cells={cells}
        filters={{}}
      />
      <ReportLinks />
      <MethodFooter method={method} />
    </>
  );
}
