import type { TableTexts } from '../text/english-tables.ts';
import type { PageGroup } from './page-groups.ts';
import { column, type TableDocument } from './table-document.ts';

/** Which answers a page gave: the first thing to look at, since refusals are fast. */
export function statusTable(pages: readonly PageGroup[], { titles, columns, notes }: TableTexts): TableDocument {
  const rows = pages.flatMap(({ host, template, type, codes }) =>
    [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => ({ host, template, type, code, count })),
  );
  return {
    title: titles.resultCodes,
    columns: [
      column('host', columns.host, 'text'),
      column('template', columns.page, 'text'),
      column('type', columns.type, 'text'),
      column('code', columns.code, 'text'),
      column('count', columns.count, 'count'),
    ],
    rows,
    notes: [notes.allSamples],
  };
}
