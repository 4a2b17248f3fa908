import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { View } from '../router/view.ts';
import { overviewView } from './overview-view.ts';
import { summaryContent } from './summary-content.ts';

/** The first view: the finding in a sentence, and all hosts × types. */
export const overview: View = {
  title: () => 'Overview',
  render(context) {
    const { state, client, now, scope } = context;
    return [
      scope.panel<SummaryDocument>({
        key: `overview ${viewKey(state)}`,
        name: 'Overview',
        read: (signal, report) => client.summary(viewQuery(state, now(), { by: ['host', 'type'] }), signal, report),
        render: (document, inner) => summaryContent(document, context, () => overviewView(document, context, inner)),
      }),
    ];
  },
};
