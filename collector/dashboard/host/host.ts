import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { summaryContent } from '../overview/summary-content.ts';
import type { ViewQuery } from '../query-cache/query-state.ts';
import type { View, ViewContext } from '../render/view.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { hostView } from './host-view.ts';

export interface HostDocuments {
  readonly cells: SummaryDocument;
  /** All types together. */
  readonly whole: SummaryDocument;
}

/** Optional parts that are computed from rollups and cost almost nothing. */
const INCLUDE = 'handshakeRoundTrips,requestsPerConnection,serverShares,sharesAbove,peaks';

function documents({ state, client, now }: Pick<ViewContext, 'state' | 'client' | 'now'>): ViewQuery<HostDocuments> {
  const name = state.own.page ?? '';
  const filters = { host: [name] };
  return {
    key: `host ${name} ${viewKey(state)}`,
    async read(signal) {
      const ask = (by: 'host' | 'type') => {
        const query = viewQuery(state, now(), { by: by === 'host' ? ['host'] : ['host', 'type'], filters });
        return client.summary(`${query}&include=${INCLUDE}`, signal);
      };
      const [cells, whole] = await Promise.all([ask('type'), ask('host')]);
      return { cells, whole };
    },
  };
}

/** One host: what its users wait for, by type, and why. */
export const host: View = {
  title: ({ own }) => own.page ?? 'Host',
  first: documents,
  render(context) {
    const { state, scope, link } = context;
    return [
      scope.panel<HostDocuments>({
        ...documents(context),
        name: 'Host',
        render: (read, inner) =>
          summaryContent(read.cells, context, () =>
            hostView(state.own.page ?? '', read, {
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
