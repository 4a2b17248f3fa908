import { encodeCountPack, visitCountPack } from './count-pack.ts';
import { CLIENTS, COUNTS } from './measures.ts';
import type { Digest } from './row-digest.ts';
import { SketchTable } from './sketch-table.ts';
import { encodeSketchPack, mergeIntoTable } from './value-pack.ts';

/** One pack of one bucket, by the number of its measure. */
export interface MeasurePack {
  readonly measure: number;
  readonly bytes: Uint8Array;
}

/** By id of counter or of browser. */
type Counts = Map<number, number>;

/** Everything a rollup knows of one bucket of time, while it is being made. Each of its cells has a place, from 0 on. */
export class BucketRollup {
  readonly digest: Digest = { n: 0, a: 0, b: 0 };
  private readonly places = new Map<number, number>();
  private readonly counted = { [COUNTS]: [] as Counts[], [CLIENTS]: [] as Counts[] };
  private readonly tables: (SketchTable | undefined)[] = [];

  get cells(): number {
    return this.places.size;
  }

  placeOf = (cell: number): number => {
    let place = this.places.get(cell);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(cell, place);
      this.counted[COUNTS].push(new Map());
      this.counted[CLIENTS].push(new Map());
    }
    return place;
  };

  sketches(measure: number): SketchTable {
    let table = this.tables[measure];
    if (table === undefined) {
      table = new SketchTable();
      this.tables[measure] = table;
    }
    return table;
  }

  /** Raises a counter, or how many samples a browser has. */
  raise(kind: typeof COUNTS | typeof CLIENTS, place: number, id: number, by: number): void {
    const counts = this.counted[kind][place] as Counts;
    counts.set(id, (counts.get(id) ?? 0) + by);
  }

  /** Adds a pack that was made before. */
  addPack({ measure, bytes }: MeasurePack): void {
    if (measure === COUNTS || measure === CLIENTS) {
      visitCountPack(
        bytes,
        () => true,
        (cell, id, count) => this.raise(measure, this.placeOf(cell), id, count),
      );
    } else mergeIntoTable(bytes, this.sketches(measure), this.placeOf);
  }

  /** In order of measures; measures nobody has are left out. */
  packs(): MeasurePack[] {
    const ascending = [...this.places].sort(([a], [b]) => a - b);
    const packs: MeasurePack[] = [];
    for (const measure of [COUNTS, CLIENTS] as const) {
      const counted = ascending.flatMap(([cell, place]) => {
        const counts = this.counted[measure][place] as Counts;
        return counts.size === 0 ? [] : [[cell, counts] as const];
      });
      if (counted.length > 0) packs.push({ measure, bytes: encodeCountPack(counted) });
    }
    this.tables.forEach((table, measure) => {
      const cells = ascending.filter(([, place]) => table?.has(place));
      if (table !== undefined && cells.length > 0) packs.push({ measure, bytes: encodeSketchPack(table, cells) });
    });
    return packs;
  }
}
