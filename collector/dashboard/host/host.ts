import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { summaryContent, tableActions } from '../overview/summary-content.ts';
import type { View } from '../router/view.ts';
import { toView, withOwn } from '../state/view-state.ts';
import { hostView } from './host-view.ts';

interface HostDocuments {
  readonly cells: SummaryDocument;
  readonly whole: SummaryDocument;
}

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
          const [cells, whole] = await Promise.all([
            client.summary(viewQuery(state, now(), { by: ['host', 'type'], filters }), signal),
            client.summary(viewQuery(state, now(), { by: ['host'], filters }), signal),
          ]);
          return { cells, whole };
        },
        render: ({ cells, whole }) =>
          summaryContent(cells, context, (redraw) =>
            hostView(name, state.own.kind ?? null, cells, whole, {
              ...tableActions(context, redraw),
              home: link(toView(state, 'overview')),
              linkKind: (kind) => link(withOwn(state, { kind: kind ?? '' })),
            }),
          ),
      }),
    ];
  },
};
