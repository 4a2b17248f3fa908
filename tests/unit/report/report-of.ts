import type { TableDocument } from '../../../collector/analysis/tables/table-document.ts';
import type { Block, Report } from '../../../collector/reports/document/report-document.ts';

/** A report that holds these tables and nothing else. */
export function reportOf(tables: readonly TableDocument[], more: readonly Block[] = []): Report {
  return {
    view: 'summary',
    language: 'en',
    title: 'Title',
    subtitle: '1 to 2, UTC',
    madeAt: null,
    dated: Date.UTC(2026, 2, 1),
    sections: [{ title: 'Section', blocks: [...more, ...tables.map((table): Block => ({ kind: 'table', table }))] }],
    data: { hello: 1 },
  };
}
