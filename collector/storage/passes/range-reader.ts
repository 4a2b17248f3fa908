import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { sliceColumns } from '../columns/select-rows.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import { createCollectors } from './collectors.ts';
import { type Within, withinPart } from './plan-range.ts';
import { createQueryGroups, type Grouping, type QueryGroups } from './query-groups.ts';
import { createRangePass, type RangePass } from './range-pass.ts';
import type { RangeSource } from './range-source.ts';
import { type RowPart, rowPart } from './row-part.ts';

export interface GroupedBy {
  readonly by: readonly AnyDimension[];
  readonly filters: Filters;
}

export interface RangeReader extends Grouping {
  /** Throws once the query is cancelled. */
  checkpoint(): void;
  /**
   * Each pass reads the range once, so collect as much as possible in one.
   * @param only excludes rows of other groups before anything is computed from them
   */
  pass(only?: QueryGroups): RangePass;
  /** The same without rows of other groups. Does not filter rollup blocks: for ranges that have none. */
  within(groups: QueryGroups): RangeReader;
  /**
   * The same for questions that share these filters: other rows are excluded before anything is computed from them. Does
   * not filter rollup blocks.
   */
  filtered(filters: Filters): RangeReader;
  /** The same with each part of the rows replaced. Does not change rollup blocks: for ranges that have none. */
  changed(change: (part: RowPart) => RowPart): RangeReader;
  /**
   * Calls `note` for each step in order, with a reader restricted to that step. Only for ranges that have no rollup
   * blocks: see `openSteps` for others.
   * @param partOf the step's part of the range
   */
  eachStep(
    steps: number,
    partOf: (step: number) => TimeRange,
    within: Within,
    note: (step: number, reader: RangeReader) => Promise<void>,
  ): Promise<void>;
  /** Whether everything read is exact; false once there were too many values to keep. */
  exact(): boolean;
}

/**
 * Decoded rows of up to this many samples are kept for the next pass, usually more than a server receives between two
 * rollups. With derived columns they take about 300 bytes each in every thread that answers long questions. Decoding rows
 * again for each pass takes no more CPU time, since the arrays are reused.
 */
export const MAX_KEPT_ROWS = 250_000;

interface Seen {
  readonly part: RowPart;
  readonly stored: number;
}

export interface ReaderOptions {
  /** Whether the caller keeps the columns. */
  readonly lasting?: boolean;
  /** See createCollectors. */
  readonly maxValues?: number;
}

/** Reads one range for questions, for any engine that has rollup blocks and chunks. */
export function createRangeReader(
  source: RangeSource,
  catalog: CellCatalog,
  exact: boolean,
  { lasting = false, maxValues }: ReaderOptions = {},
): RangeReader {
  const collectors = createCollectors(exact, maxValues);
  let kept: readonly Seen[] | null = null;

  async function* parts(): AsyncGenerator<RowPart> {
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
    for await (const { columns, ranges, t0, stored, lasting: stays } of source.rows(lasting)) {
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

  const passOver = (rows: () => AsyncIterable<RowPart>) =>
    createRangePass(
      {
        prepare: source.prepare,
        blocks: source.blocks,
        clientBlocks: source.clientBlocks,
        parts: rows,
        newCollector: collectors.create,
      },
      catalog,
    );

  function readerOver(rows: () => AsyncIterable<RowPart>): RangeReader {
    return {
      checkpoint: () => source.checkpoint?.(),
      groups: (by, filters, folding) => createQueryGroups(by, filters, catalog, folding),
      pass: (only) => passOver(only === undefined ? rows : () => picked(rows(), only)),
      within: (groups) => readerOver(() => picked(rows(), groups)),
      changed: (change) => readerOver(() => mapped(rows(), change)),
      filtered(filters) {
        if (Object.keys(filters).length === 0) return this;
        return this.within(this.groups([], filters));
      },
      eachStep(steps, partOf, within, note) {
        return readStepByStep(rows(), steps, partOf, within, (step, own) =>
          note(step, createRangeReader(own, catalog, exact)),
        );
      },
      exact: collectors.exact,
    };
  }

  return readerOver(parts);
}

async function* picked(parts: AsyncIterable<RowPart>, groups: QueryGroups): AsyncGenerator<RowPart> {
  for await (const part of parts) {
    const own = groups.pickRows(part);
    if (own !== null) yield own;
  }
}

async function* mapped(parts: AsyncIterable<RowPart>, change: (part: RowPart) => RowPart): AsyncGenerator<RowPart> {
  for await (const part of parts) yield change(part);
}

/**
 * Reads steps in order, from samples. Chunks are ordered by their start; one that extends into later steps is kept for
 * those, cut to its remaining rows, so that only a few are in memory at a time.
 */
async function readStepByStep(
  parts: AsyncIterable<RowPart>,
  steps: number,
  partOf: (step: number) => TimeRange,
  within: Within,
  note: (step: number, rows: RangeSource) => Promise<void>,
): Promise<void> {
  let waiting: SampleColumns[] = [];
  let step = 0;

  async function finish(upTo: number): Promise<void> {
    for (; step < steps && partOf(step).to <= upTo; step++) {
      const part = partOf(step);
      const inside = waiting.flatMap((columns) => sliceColumns(columns, [part]) ?? []);
      const ranges = withinPart(part, within) ?? [part];
      if (inside.length > 0)
        await note(step, {
          blocks: () => [],
          clientBlocks: () => [],
          rows: () => inside.map((columns) => ({ columns, ranges, t0: part.from, stored: columns.n, lasting: true })),
        });
      const rest = { from: part.to, to: Number.POSITIVE_INFINITY };
      waiting = waiting.flatMap((columns) => sliceColumns(columns, [rest]) ?? []);
    }
  }

  for await (const { columns, t0 } of parts) {
    await finish(t0);
    waiting.push(columns);
  }
  await finish(Number.POSITIVE_INFINITY);
}
