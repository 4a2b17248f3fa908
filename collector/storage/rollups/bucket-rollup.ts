import { encodeCountBlock, visitCountBlock } from './count-block.ts';
import type { Digest } from './row-digest.ts';
import { SketchTable } from './sketch-table.ts';
import { CLIENTS, COUNTS } from './time-metrics.ts';
import { encodeSketchBlock, mergeIntoTable } from './value-block.ts';

/** All cells of one metric in one bucket of time. */
export interface RollupBlock {
  readonly metric: number;
  readonly bytes: Uint8Array;
}

/** By the id of a counter or a browser. */
type Counts = Map<number, number>;

/** The rollup of one bucket of time while it is being built. Its cells have consecutive indices. */
export class BucketRollup {
  readonly digest: Digest = { n: 0, a: 0, b: 0 };
  private readonly indices = new Map<number, number>();
  private readonly counted = { [COUNTS]: [] as Counts[], [CLIENTS]: [] as Counts[] };
  private readonly tables: (SketchTable | undefined)[] = [];

  get cells(): number {
    return this.indices.size;
  }

  indexOf = (cell: number): number => {
    let index = this.indices.get(cell);
    if (index === undefined) {
      index = this.indices.size;
      this.indices.set(cell, index);
      this.counted[COUNTS].push(new Map());
      this.counted[CLIENTS].push(new Map());
    }
    return index;
  };

  sketches(metric: number): SketchTable {
    let table = this.tables[metric];
    if (table === undefined) {
      table = new SketchTable();
      this.tables[metric] = table;
    }
    return table;
  }

  /** Raises a counter, or the number of samples of a browser. */
  raise(kind: typeof COUNTS | typeof CLIENTS, index: number, id: number, by: number): void {
    const counts = this.counted[kind][index] as Counts;
    counts.set(id, (counts.get(id) ?? 0) + by);
  }

  /** Merges an encoded block. */
  addBlock({ metric, bytes }: RollupBlock): void {
    if (metric === COUNTS || metric === CLIENTS) {
      visitCountBlock(
        bytes,
        () => true,
        (cell, id, count) => this.raise(metric, this.indexOf(cell), id, count),
      );
    } else mergeIntoTable(bytes, this.sketches(metric), this.indexOf);
  }

  /** In the order of metrics; metrics without values are omitted. */
  blocks(): RollupBlock[] {
    const ascending = [...this.indices].sort(([a], [b]) => a - b);
    const blocks: RollupBlock[] = [];
    for (const metric of [COUNTS, CLIENTS] as const) {
      const counted = ascending.flatMap(([cell, index]) => {
        const counts = this.counted[metric][index] as Counts;
        return counts.size === 0 ? [] : [[cell, counts] as const];
      });
      if (counted.length > 0) blocks.push({ metric: metric, bytes: encodeCountBlock(counted) });
    }
    this.tables.forEach((table, metric) => {
      const cells = ascending.filter(([, index]) => table?.has(index));
      if (table !== undefined && cells.length > 0)
        blocks.push({ metric: metric, bytes: encodeSketchBlock(table, cells) });
    });
    return blocks;
  }
}
