import type { SampleColumns } from '../../shared/sample/sample-columns.ts';
import type { AnyDimension } from '../../shared/summary/dimensions.ts';
import { mergeColumns } from '../store/chunk/merge-columns.ts';
import { wordsOfRows } from '../store/query/row-words.ts';

/** What a person could be told by: where they sit and what they open. */
const TELLING: readonly AnyDimension[] = ['target', 'site', 'host', 'template'];

export interface SmallGroups {
  /** Rows that are in such groups. */
  readonly leftOut: number;
  /** The rows of a block that may be shown; null where there are none. */
  readonly keep: (block: SampleColumns) => SampleColumns | null;
}

interface Group {
  rows: number;
  /** Until there are enough; then null. */
  clients: Set<string> | null;
}

/**
 * Reads all rows once and finds what fewer than `foldBelow` browsers stand behind, by target, site, host and template
 * together: a row of such a group might be one person's.
 */
export async function findSmallGroups(blocks: AsyncIterable<SampleColumns>, foldBelow: number): Promise<SmallGroups> {
  const groups = new Map<string, Group>();
  for await (const block of blocks) {
    const idOf = groupIds(block);
    const origin = block.origin();
    for (let row = 0; row < block.n; row++) {
      const id = idOf(row);
      const group = groups.get(id) ?? { rows: 0, clients: new Set<string>() };
      groups.set(id, group);
      group.rows++;
      if (group.clients === null) continue;
      group.clients.add(block.origins[origin[row] as number]?.client ?? '');
      if (group.clients.size >= foldBelow) group.clients = null;
    }
  }
  const small = new Set([...groups].filter(([, { clients }]) => clients !== null).map(([id]) => id));
  const leftOut = [...small].reduce((sum, id) => sum + (groups.get(id)?.rows ?? 0), 0);
  return {
    leftOut,
    keep(block) {
      if (small.size === 0) return block;
      const idOf = groupIds(block);
      const rows: number[] = [];
      for (let row = 0; row < block.n; row++) if (!small.has(idOf(row))) rows.push(row);
      if (rows.length === block.n) return block;
      return rows.length === 0 ? null : mergeColumns([{ columns: block, rows: Int32Array.from(rows) }]);
    },
  };
}

function groupIds(block: SampleColumns): (row: number) => string {
  const columns = TELLING.map((dimension) => wordsOfRows(block, dimension));
  return (row) => columns.map(({ codes, words }) => words[codes[row] as number] ?? '').join('\n');
}
