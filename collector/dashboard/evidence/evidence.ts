import type { EvidenceDocument } from '../../questions/evidence.ts';
import type { FleetDocument } from '../../questions/fleet.ts';
import { evidenceClasses } from '../model/evidence-totals.ts';
import { methodNote } from '../model/method-note.ts';
import { viewKey, viewQuery } from '../model/summary-queries.ts';
import { element } from '../render/element.ts';
import { methodFooter } from '../render/method-footer.ts';
import type { Scope } from '../render/scope.ts';
import { emptyView } from '../render/states.ts';
import type { View, ViewContext } from '../render/view.ts';
import { describeRange } from '../state/time-range.ts';
import { evidenceContent } from './evidence-content.ts';
import { fleetContent } from './fleet-content.ts';

/** What the numbers are based on: usable samples, excluded samples with their reasons, and the browsers they came from. */
export const evidence: View = {
  title: () => 'Evidence',
  render(context) {
    const { state, client, scope, now } = context;
    return [
      scope.panel<EvidenceDocument>({
        key: `evidence ${viewKey(state)}`,
        name: 'Evidence',
        read: (signal, report) =>
          client.read(`/evidence?${viewQuery(state, now(), { by: ['host', 'type'] })}`, signal, report),
        render: (document, inner) => content(document, context, inner),
      }),
    ];
  },
};

function fleetPanel(context: ViewContext, scope: Scope): HTMLElement {
  const { state, client, now } = context;
  const asked = { ...state, filters: siteFilter(context) };
  return scope.panel<FleetDocument>({
    key: `fleet ${viewKey(asked)}`,
    name: 'Browsers',
    read: (signal, report) => client.read(`/fleet?${viewQuery(asked, now())}`, signal, report),
    render: (document) => fleetContent(document, context),
  });
}

/** Of all filters only the site applies to browsers. */
function siteFilter({ state }: ViewContext): ViewContext['state']['filters'] {
  return state.filters.site === undefined ? {} : { site: state.filters.site };
}

function content(document: EvidenceDocument, context: ViewContext, scope: Scope): readonly Node[] {
  const { state, navigate, announce } = context;
  if (document.cells.length === 0) {
    const clear = () => navigate({ ...state, filters: {} });
    const longer = () => navigate({ ...state, range: { preset: '30d' } });
    announce('Nothing to show in this view');
    return [
      element('h1', { class: 'spoken' }, 'Evidence'),
      emptyView({
        method: document.method,
        filtered: Object.keys(state.filters).length > 0,
        range: describeRange(state.range),
        clear,
        longer,
      }),
      fleetPanel(context, scope),
    ];
  }
  announce(`${evidenceClasses(document.cells).length} classes of evidence`);
  return [...evidenceContent(document, context), fleetPanel(context, scope), methodFooter(methodNote(document.method))];
}
