import { encodeCountBlock, visitCountBlock } from './count-block.ts';
import type { Digest } from './row-digest.ts';
import { SketchTable } from './sketch-table.ts';
import { CLIENTS, COUNTS } from './time-metrics.ts';
import { encodeSketchBlock, mergeIntoTable } from './value-block.ts';

/** One pack of one bucket, by the number of its measure. */
export interface RollupBlock {
  readonly metric: number;
  readonly bytes: Uint8Array;
}

/** By id of counter or of browser. */
type Counts = Map<number, number>;

/** Everything a rollup knows of one bucket of time, while it is being made. Each of its cells has a place, from 0 on. */
export class BucketRollup {
  readonly digest: Digest = { n: 0, a: 0, b: 0 };
  private readonly indices = new Map<number, number>();
  private readonly counted = { [COUNTS]: [] as Counts[], [CLIENTS]: [] as Counts[] };
  private readonly tables: (SketchTable | undefined)[] = [];

  get cells(): number {
    return this.indices.size;
  }

  indexOf = (cell: number): number => {
    let place = this.indices.get(cell);
    if (place === undefined) {
      place = this.indices.size;
      this.indices.set(cell, place);
      this.counted[COUNTS].push(new Map());
      this.counted[CLIENTS].push(new Map());
    }
    return place;
  };

  sketches(metric: number): SketchTable {
    let table = this.tables[metric];
    if (table === undefined) {
      table = new SketchTable();
      this.tables[metric] = table;
    }
    return table;
  }

  /** Raises a counter, or how many samples a browser has. */
  raise(kind: typeof COUNTS | typeof CLIENTS, place: number, id: number, by: number): void {
    const counts = this.counted[kind][place] as Counts;
    counts.set(id, (counts.get(id) ?? 0) + by);
  }

  /** Adds a pack that was made before. */
  addBlock({ metric, bytes }: RollupBlock): void {
    if (metric === COUNTS || metric === CLIENTS) {
      visitCountBlock(
        bytes,
        () => true,
        (cell, id, count) => this.raise(metric, this.indexOf(cell), id, count),
      );
    } else mergeIntoTable(bytes, this.sketches(metric), this.indexOf);
  }

  /** In order of measures; measures nobody has are left out. */
  blocks(): RollupBlock[] {
    const ascending = [...this.indices].sort(([a], [b]) => a - b);
    const blocks: RollupBlock[] = [];
    for (const metric of [COUNTS, CLIENTS] as const) {
      const counted = ascending.flatMap(([cell, place]) => {
        const counts = this.counted[metric][place] as Counts;
        return counts.size === 0 ? [] : [[cell, counts] as const];
      });
      if (counted.length > 0) blocks.push({ metric: metric, bytes: encodeCountBlock(counted) });
    }
    this.tables.forEach((table, metric) => {
      const cells = ascending.filter(([, place]) => table?.has(place));
      if (table !== undefined && cells.length > 0)
        blocks.push({ metric: metric, bytes: encodeSketchBlock(table, cells) });
    });
    return blocks;
  }
}
