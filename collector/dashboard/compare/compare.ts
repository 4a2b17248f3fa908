import type { CompareDocument } from '../../questions/compare.ts';
import { compareQuery, parseComparison } from '../model/compare-question.ts';
import { viewKey } from '../model/summary-queries.ts';
import { element } from '../render/element.ts';
import type { View } from '../render/view.ts';
import { compareContent } from './compare-content.ts';
import { compareForm } from './compare-form.ts';

/** Whether two ranges, sites, releases or scenarios differ, and by at least how much. */
export const compare: View = {
  title: () => 'Compare',
  render(context) {
    const { state, client, scope, now } = context;
    const key = JSON.stringify([viewKey(state), parseComparison(state.own)]);
    const form = compareForm(context);
    if (compareQuery(state, now()) === null) return [form, chooseSides()];
    return [
      form,
      scope.panel<CompareDocument>({
        key: `compare ${key}`,
        name: 'Comparison',
        read: (signal, report) => client.read(`/compare?${compareQuery(state, now()) ?? ''}`, signal, report),
        render: (document) => compareContent(document, context),
      }),
    ];
  },
};

function chooseSides(): HTMLElement {
  return element(
    'section',
    { class: 'state' },
    element('h2', {}, 'Choose what to compare'),
    element('p', {}, 'Choose both sides above. The result shows whether they differ by more than noise.'),
  );
}
