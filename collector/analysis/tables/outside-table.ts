import { CONNECTIONS } from '../../../shared/vocabulary/vocabulary.ts';
import type { TableTexts } from '../text/english-tables.ts';
import { GROUP_SOURCES, type OutsideCounts } from './scenario-groups.ts';
import { column, type TableDocument } from './table-document.ts';

/** Requests in no scenario, which would otherwise be missing silently. */
export function outsideTable(outside: OutsideCounts, { titles, columns, notes }: TableTexts): TableDocument {
  return {
    title: titles.outside,
    columns: [
      column('source', columns.source, 'text'),
      column('connection', columns.connection, 'text'),
      column('n', columns.requests, 'count'),
    ],
    rows: GROUP_SOURCES.flatMap((source) =>
      CONNECTIONS.flatMap((connection) => {
        const n = outside.get(source)?.get(connection) ?? 0;
        return n === 0 ? [] : [{ source, connection, n }];
      }),
    ),
    notes: [notes.outside],
  };
}
