import type { AskedDimension } from '../../../shared/vocabulary/dimensions.ts';
import type { ViewState } from '../state/view-state.ts';

/** What the overview's table can be grouped by, as named in the URL; the first is the default. */
export const GROUPINGS = [
  'target',
  'host',
  'type',
  'site',
  'template',
  'browser',
] as const satisfies readonly AskedDimension[];
export type Grouping = (typeof GROUPINGS)[number];

export function toGrouping({ own }: Pick<ViewState, 'own'>): Grouping {
  return GROUPINGS.find((name) => name === own.group) ?? 'target';
}

/** Groups and rows asked for: there can be thousands of pages. Null is all. */
export function groupingLimits(grouping: Grouping): { readonly groups: number; readonly rows: number } | null {
  return grouping === 'template' ? { groups: 50, rows: 300 } : null;
}

/** The dimensions of the rows within a group. */
export function rowDimensions(grouping: Grouping): readonly AskedDimension[] {
  return [...new Set([grouping, 'host', 'type'] as const)];
}
