import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { MAX_AGE_MS, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import { once, onceEach } from '../../storage/columns/once.ts';
import { type BrowserSets, createCountedBrowsers } from '../../storage/passes/browser-sets.ts';
import type { ReadingSource } from '../../storage/passes/reading-source.ts';
import type { CellCatalog } from '../../storage/rollups/cell-catalog.ts';
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

/** @param range of the samples that are asked for */
export function createViewer(
  { catalog, fleet }: Pick<ReadingSource, 'catalog' | 'fleet'>,
  { foldBelow, freshSince = null }: FoldRule,
  range: TimeRange,
): Viewer {
  const listed = once(() => {
    // What decides is when a browser was heard of, not the range: samples may come a week late, those of invented browsers
    // too. No browser heard of since can have sent any that are older.
    if (freshSince === null || range.to <= freshSince - MAX_AGE_MS) return () => true;
    // A browser that is not on the list has been silent for as long as samples are kept, or there was no room for it.
    const established = fleet.hadRoom(freshSince) ? null : fleet.browsersUntil(freshSince);
    if (established !== null) return (client: string) => established.has(client);
    const fresh = fleet.freshBrowsers(freshSince);
    return (client: string) => !fresh.has(client);
  });
  // Nobody knows how many browsers share it.
  const counts = (client: string) => client !== OVERFLOW_NAME && listed()(client);
  // Looked up once a question: each way of grouping asks for the same browsers.
  const clients = { ...catalog.clients, textOf: onceEach(catalog.clients.textOf) };
  return { foldBelow, catalog, counts, counted: () => createCountedBrowsers({ clients }, foldBelow, counts) };
}
