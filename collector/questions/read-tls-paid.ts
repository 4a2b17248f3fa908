import type { TlsPaid } from '../reductions/set-up.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { collectTlsPaid } from '../storage/passes/collect-tls-paid.ts';
import type { Folding } from '../storage/passes/query-groups.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import { whereKept } from '../storage/store-error.ts';
import { drawnParts } from './drawn-parts.ts';

/** How much browsers differ is known from far fewer. */
const MAX_ROWS = 200_000;

/** What each browser of each group paid for TLS, by the group's id; null if the range has samples that are no longer kept. */
export async function readTlsPaid(
  source: ReadingSource,
  { range, by, filters }: Pick<StoreQuery, 'range' | 'by' | 'filters'>,
  folding: Folding | null,
): Promise<Map<string, readonly TlsPaid[]> | null> {
  const { samples } = await (await source.open(range, 'sketches')).stored();
  return whereKept(async () => {
    const opened = await source.open(range, 'fine', 1, drawnParts(range, samples, MAX_ROWS));
    const pass = opened.reader().filtered(filters).pass();
    const groups = pass.groups(by, filters, folding);
    const paidBy = collectTlsPaid(pass, groups);
    await pass.run();
    return new Map(groups.keys.map((key, group) => [groupId(Object.values(key)), paidBy(group)]));
  });
}
