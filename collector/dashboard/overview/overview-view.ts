import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import { headlineCell } from '../model/headline.ts';
import { ofWhat } from '../model/of-what.ts';
import { element } from '../render/element.ts';
import { findingView } from '../render/finding-view.ts';
import type { Scope } from '../render/scope.ts';
import type { ViewContext } from '../render/view.ts';
import { tablePanel } from './table-panel.ts';

/** The overview: the headline with its charts, and all hosts × types. */
export function overviewView({ cells, method }: SummaryDocument, context: ViewContext, scope: Scope): readonly Node[] {
  const headline = headlineCell(cells);
  const table = tablePanel(context, scope, {
    title: 'Hosts and resource types',
    caption: 'Hosts and resource types: median and average, milliseconds',
    oneHost: false,
    cells,
    filters: {},
  });
  const title = element('h1', { class: 'spoken' }, 'What users wait for');
  if (headline === null) return [title, table];
  return [title, findingView(headline, 'Where users wait most', ofWhat([headline.host, headline.type], method)), table];
}
