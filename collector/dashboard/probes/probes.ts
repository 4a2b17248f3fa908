import type { ProbesDocument } from '../../questions/probes.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import type { View } from '../render/view.ts';
import { probesContent } from './probes-content.ts';

/** Results of probes: the cost of HTTPS per path, and availability. */
export const probes: View = {
  title: () => 'Probes',
  render(context) {
    const { state, client, scope, now } = context;
    return [
      scope.panel<ProbesDocument>({
        key: `probes ${viewKey(state)}`,
        name: 'Probes',
        read: (signal, report) => client.read(`/probes?${viewQuery(state, now())}`, signal, report),
        render: (document) => probesContent(document, context),
      }),
    ];
  },
};
