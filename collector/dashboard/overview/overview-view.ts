import type { SummaryDocument } from '../../../shared/summary/summary-document.ts';
import { headlineCell } from '../model/headline.ts';
import { ofWhat } from '../model/of-what.ts';
import { overviewRows } from '../model/overview-row.ts';
import { sortRows } from '../model/sort-rows.ts';
import { element } from '../render/element.ts';
import { findingView } from '../render/finding-view.ts';
import { type OverviewTableOptions, overviewTable } from './overview-table.ts';
import { tableLegend } from './table-legend.ts';

export type TableActions = Omit<OverviewTableOptions, 'caption' | 'oneHost' | 'rows'>;

/** The first page: the finding, its picture, and all hosts × types. */
export function overviewView(document: SummaryDocument, actions: TableActions): readonly HTMLElement[] {
  const rows = sortRows(overviewRows(document.cells), actions.sort);
  const headline = headlineCell(document.cells);
  const table = element(
    'section',
    { class: 'panel' },
    element('div', { class: 'panel-head' }, element('h2', {}, 'Hosts and resource types'), tableLegend()),
    overviewTable({
      ...actions,
      oneHost: false,
      caption: 'Hosts and resource types: median and average, milliseconds',
      rows,
    }),
  );
  const title = element('h1', { class: 'spoken' }, 'What users wait for');
  return headline === null
    ? [title, table]
    : [
        title,
        findingView(headline, 'Where users wait most', ofWhat([headline.host, headline.type], document.method)),
        table,
      ];
}
