import type { PageGroup } from './page-groups.ts';
import { column, type TableDocument } from './table-document.ts';

/** Which answers a page gave: the first thing to look at, since refusals are fast. */
export function statusTable(pages: readonly PageGroup[]): TableDocument {
  const rows = pages.flatMap(({ host, template, type, codes }) =>
    [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, count]) => ({ host, template, type, code, count })),
  );
  return {
    title: 'Result codes',
    columns: [
      column('host', 'Host', 'text'),
      column('template', 'Page', 'text'),
      column('type', 'Type', 'text'),
      column('code', 'Code', 'text'),
      column('count', 'Count', 'count'),
    ],
    rows,
    notes: [
      'All samples, also those that are left out of the times: a refusal is fast, and says nothing about the page.',
    ],
  };
}
