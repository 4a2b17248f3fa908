import { isFewBrowsers } from '../../../shared/vocabulary/dimensions.ts';
import type { Sort } from '../state/view-state.ts';
import type { Grouping } from './groupings.ts';
import type { OverviewRow } from './overview-row.ts';
import { sortRows } from './sort-rows.ts';

/** How many groups, and how many rows of a group, are shown before "show all". */
export const FIRST_LINES = 10;

/** A line of the overview's table. */
export type TableLine =
  | { readonly kind: 'group'; readonly row: OverviewRow; readonly open: boolean; readonly size: number | null }
  | { readonly kind: 'row'; readonly row: OverviewRow }
  /** The rows of open groups are being read; in the first of these groups. */
  | { readonly kind: 'pending' }
  /** Stands for the lines that are not shown: rows of a group, or groups if `group` is null. */
  | { readonly kind: 'more'; readonly group: string | null; readonly all: number; readonly after: string };

export interface Grouped {
  readonly grouping: Grouping;
  readonly groups: readonly OverviewRow[];
  /** null until they are read. */
  readonly rows: readonly OverviewRow[] | null;
  readonly sort: Sort;
  isOpen(group: string): boolean;
  /** Everything is shown of this group, or of the list of groups (null). */
  isWhole(group: string | null): boolean;
}

/** Sorted groups, and below each open one its sorted rows. */
export function tableLines({ grouping, groups, rows, sort, isOpen, isWhole }: Grouped): readonly TableLine[] {
  const members = new Map<string, OverviewRow[]>(groups.map(({ name }) => [name, []]));
  const alone: OverviewRow[] = [];
  for (const row of rows ?? []) {
    const own = members.get(row.cell[grouping] ?? '');
    if (own !== undefined) own.push(row);
    // Rows are folded separately from groups. The others without a group belong to one that is not listed.
    else if (isFewBrowsers(row.cell)) alone.push(row);
  }
  const shownGroups = firstOf(sortRows(groups, sort), isWhole(null));
  const firstOpen = shownGroups.find(({ name }) => isOpen(name));
  const lines = shownGroups.flatMap((group): TableLine[] => {
    const own = members.get(group.name) ?? [];
    const open = isOpen(group.name);
    const head: TableLine = { kind: 'group', row: group, open, size: rows === null ? null : own.length };
    if (!open) return [head];
    if (rows === null) return group === firstOpen ? [head, { kind: 'pending' }] : [head];
    const shown = firstOf(sortRows(own, sort), isWhole(group.name));
    return [head, ...shown.map((row) => ({ kind: 'row', row }) as const), ...moreOf(group.name, own, shown)];
  });
  const rest = sortRows(alone, sort).map((row) => ({ kind: 'row', row }) as const);
  return [...lines, ...moreOf(null, groups, shownGroups), ...rest];
}

/** A single line more is shown instead of a button for it. */
function firstOf(rows: readonly OverviewRow[], whole: boolean): readonly OverviewRow[] {
  return whole || rows.length <= FIRST_LINES + 1 ? rows : rows.slice(0, FIRST_LINES);
}

function moreOf(
  group: string | null,
  all: readonly OverviewRow[],
  shown: readonly OverviewRow[],
): readonly TableLine[] {
  if (shown.length === all.length) return [];
  return [{ kind: 'more', group, all: all.length, after: shown.at(-1)?.name ?? '' }];
}
