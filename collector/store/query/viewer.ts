import { once } from '../chunk/once.ts';
import type { CellCatalog } from '../rollup/cell-catalog.ts';
import type { BrowserSets } from './browser-sets.ts';
import type { ComputeSource } from './compute/compute-source.ts';
import { createCountedBrowsers } from './counted-browsers.ts';
import type { FoldRule } from './small-groups.ts';

/** Whom a question is answered for: what it takes to decide which groups may be shown. */
export interface Viewer {
  /** 0 for whoever may see all. */
  readonly foldBelow: number;
  readonly catalog: CellCatalog;
  /** Whether a browser counts towards a group. */
  counts(client: string): boolean;
  /** Collects the browsers of groups, as far as they count. */
  counted(): BrowserSets;
}

export function createViewer(
  { catalog, fleet }: Pick<ComputeSource, 'catalog' | 'fleet'>,
  { foldBelow, freshSince = null }: FoldRule,
): Viewer {
  const fresh = once(() => (freshSince === null ? new Set<string>() : fleet.freshBrowsers(freshSince)));
  return {
    foldBelow,
    catalog,
    counts: (client) => !fresh().has(client),
    counted: () => createCountedBrowsers(catalog, foldBelow, fresh()),
  };
}
