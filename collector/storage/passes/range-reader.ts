import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { createCollectors } from './collectors.ts';
import { createQueryGroups, type QueryGroups } from './query-groups.ts';
import { createRangePass, type RangePass } from './range-pass.ts';
import { type RowPart, rowPart } from './row-part.ts';

/** What an engine gives for one range: rollups of the buckets inside, and the samples that no such bucket holds. */
export interface RangeSource {
  /** Every pack of one measure. */
  blocks(metric: number): Iterable<Uint8Array>;
  /**
   * In the order of `t0`. Can be asked for again.
   * @param lasting whether columns are to be kept; without it they may be good only until the next are asked for
   */
  rows(lasting?: boolean): Iterable<SourceRows>;
  /** Called often while rows are worked on; throws to give up. */
  checkpoint?(): void;
  /** Told behind each piece of the rows how many samples it was, as `stored` had it. */
  worked?(samples: number): void;
}

export interface SourceRows {
  readonly columns: SampleColumns;
  /** Those rows count whose `at` lies in one of these; null where all do. */
  readonly ranges: readonly TimeRange[] | null;
  /** No row here or in what comes later is earlier. */
  readonly t0: number;
  /** How many samples had to be looked at for these. */
  readonly stored: number;
  /** Whether the columns may be kept. */
  readonly lasting: boolean;
}

export interface GroupedBy {
  readonly by: readonly AnyDimension[];
  readonly filters: Filters;
}

export interface RangeReader {
  /** Throws to give up. */
  checkpoint(): void;
  /**
   * Each reads the range once; who needs much of it had better ask for it in one.
   * @param only rows of other groups are left out before anything is computed of them
   */
  pass(only?: QueryGroups): RangePass;
  /** The same without rows of other groups. Of packs nothing is left out: for those who have none. */
  within(groups: QueryGroups): RangeReader;
  /**
   * The same for questions that all have these filters: rows that do not pass are left out before anything is computed
   * of them. Of packs nothing is left out.
   */
  filtered(filters: Filters): RangeReader;
  /** The same with each part of its rows put in another's place. Of packs nothing changes: for those who have none. */
  changed(change: (part: RowPart) => RowPart): RangeReader;
  /** What was read is exact; false once there were so many values that they had to be sketched. */
  exact(): boolean;
}

/**
 * Decoded rows of up to this many samples are kept for the next reading: usually more than a server has between two of its
 * rollups. With what is computed of them they take about 300 bytes each, in every thread that answers long questions, and
 * a question whose rows are decoded for each reading takes no more processor time, as its arrays are used again.
 */
export const MAX_KEPT_ROWS = 250_000;

interface Seen {
  readonly part: RowPart;
  readonly stored: number;
}

interface ReaderOptions {
  /** Whether who reads its rows keeps their columns. */
  readonly lasting?: boolean;
  /** See createCollectors. */
  readonly maxValues?: number;
}

/** Answers questions on one range, engine-neutral: every engine that has packs and chunks reads them like this. */
export function createRangeReader(
  source: RangeSource,
  catalog: CellCatalog,
  exact: boolean,
  { lasting = false, maxValues }: ReaderOptions = {},
): RangeReader {
  const collectors = createCollectors(exact, maxValues);
  let kept: readonly Seen[] | null = null;

  function* parts(): Generator<RowPart> {
    if (kept !== null) {
      for (const { part, stored } of kept) {
        source.checkpoint?.();
        yield part;
        source.worked?.(stored);
      }
      return;
    }
    const seen: Seen[] = [];
    let rows = 0;
    for (const { columns, ranges, t0, stored, lasting: stays } of source.rows(lasting)) {
      source.checkpoint?.();
      const part = rowPart(columns, ranges, t0);
      rows += stays ? columns.n : Number.POSITIVE_INFINITY;
      if (rows <= MAX_KEPT_ROWS) seen.push({ part, stored });
      else seen.length = 0;
      yield part;
      source.worked?.(stored);
    }
    if (rows <= MAX_KEPT_ROWS) kept = seen;
  }

  const passOver = (rows: () => Iterable<RowPart>) =>
    createRangePass({ blocks: source.blocks, parts: rows, newCollector: collectors.create }, catalog);

  function readerOver(rows: () => Iterable<RowPart>): RangeReader {
    return {
      checkpoint: () => source.checkpoint?.(),
      pass: (only) => passOver(only === undefined ? rows : () => picked(rows(), only)),
      within: (groups) => readerOver(() => picked(rows(), groups)),
      changed: (change) => readerOver(() => mapped(rows(), change)),
      filtered(filters) {
        if (Object.keys(filters).length === 0) return this;
        return this.within(createQueryGroups([], filters, catalog));
      },
      exact: collectors.exact,
    };
  }

  return readerOver(parts);
}

function* picked(parts: Iterable<RowPart>, groups: QueryGroups): Generator<RowPart> {
  for (const part of parts) {
    const own = groups.pickRows(part);
    if (own !== null) yield own;
  }
}

function* mapped(parts: Iterable<RowPart>, change: (part: RowPart) => RowPart): Generator<RowPart> {
  for (const part of parts) yield change(part);
}
