import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { summaryContent } from '../overview/summary-content.ts';
import type { View } from '../router/view.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { hostView } from './host-view.ts';

export interface HostDocuments {
  readonly cells: SummaryDocument;
  /** All types together. */
  readonly whole: SummaryDocument;
}

/** What follows from rollups alone and costs next to nothing beside them. */
const INCLUDE = 'handshakeRoundTrips,requestsPerConnection,serverShares,sharesAbove,peaks';

/** One host: what its users wait for, type by type, and why. */
export const host: View = {
  title: ({ own }) => own.page ?? 'Host',
  render(context) {
    const { state, client, now, scope, link } = context;
    const name = state.own.page ?? '';
    const filters = { host: [name] };
    return [
      scope.panel<HostDocuments>({
        key: `host ${name} ${viewKey(state)}`,
        name: 'Host',
        async read(signal) {
          const ask = (by: 'host' | 'type') => {
            const query = viewQuery(state, now(), { by: by === 'host' ? ['host'] : ['host', 'type'], filters });
            return client.summary(`${query}&include=${INCLUDE}`, signal);
          };
          const [cells, whole] = await Promise.all([ask('type'), ask('host')]);
          return { cells, whole };
        },
        render: (documents, inner) =>
          summaryContent(documents.cells, context, () =>
            hostView(name, documents, {
              view: context,
              scope: inner,
              home: link(toView(state, 'overview')),
              linkKind: (kind) => link(withOwn(state, { kind: kind ?? '' })),
            }),
          ),
      }),
    ];
  },
};
