import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import type { View, ViewContext } from '../render/view.ts';
import { overviewView } from './overview-view.ts';
import { summaryContent } from './summary-content.ts';

function cells({ state, client, now }: Pick<ViewContext, 'state' | 'client' | 'now'>): ViewQuery<SummaryDocument> {
  return {
    key: `overview ${viewKey(state)}`,
    read: (signal, report) => client.summary(viewQuery(state, now(), { by: ['host', 'type'] }), signal, report),
  };
}

/** The first view: the headline and all hosts × types. */
export const overview: View = {
  title: () => 'Overview',
  first: cells,
  render(context) {
    return [
      context.scope.panel<SummaryDocument>({
        ...cells(context),
        name: 'Overview',
        render: (document, inner) => summaryContent(document, context, () => overviewView(document, context, inner)),
      }),
    ];
  },
};
