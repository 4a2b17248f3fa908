import { CONNECTIONS } from '../../../shared/vocabulary/vocabulary.ts';
import { GROUP_SOURCES, type OutsideCounts } from './scenario-groups.ts';
import { column, type TableDocument } from './table-document.ts';

/** What no row of a scenario can hold, and would be missed without a word. */
export function outsideTable(outside: OutsideCounts): TableDocument {
  return {
    title: 'In no scenario',
    columns: [
      column('source', 'Source', 'text'),
      column('connection', 'Connection', 'text'),
      column('n', 'Requests', 'count'),
    ],
    rows: GROUP_SOURCES.flatMap((source) =>
      CONNECTIONS.flatMap((connection) => {
        const n = outside.get(source)?.get(connection) ?? 0;
        return n === 0 ? [] : [{ source, connection, n }];
      }),
    ),
    notes: [
      'A request that failed, or whose connection was not seen, is in none of the scenarios and in no time above.',
    ],
  };
}
