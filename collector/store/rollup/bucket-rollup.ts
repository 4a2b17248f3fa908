import type { CellValues } from '../pack/cell-values.ts';
import { type CountList, encodeCountPack, visitCountPack } from '../pack/count-pack.ts';
import { encodeSketchPack, mergeIntoCells } from '../pack/value-pack.ts';
import { CellRollup, raise } from './cell-rollup.ts';
import { CLIENTS, COUNTS } from './measures.ts';
import type { Digest } from './row-digest.ts';

/** One pack of one bucket, by the number of its measure. */
export interface MeasurePack {
  readonly measure: number;
  readonly bytes: Uint8Array;
}

/** Everything a rollup knows of one bucket of time, while it is being made. */
export class BucketRollup {
  readonly digest: Digest = { n: 0, a: 0, b: 0 };
  private readonly cells = new Map<number, CellRollup>();

  cell(id: number): CellRollup {
    let cell = this.cells.get(id);
    if (cell === undefined) {
      cell = new CellRollup();
      this.cells.set(id, cell);
    }
    return cell;
  }

  /** Adds a pack that was made before. */
  addPack({ measure, bytes }: MeasurePack): void {
    if (measure === COUNTS || measure === CLIENTS) {
      const kind = measure === COUNTS ? 'counts' : 'clients';
      visitCountPack(
        bytes,
        () => true,
        (cell, id, count) => raise(this.cell(cell)[kind], id, count),
      );
    } else mergeIntoCells(bytes, (cell) => this.cell(cell).valuesOf(measure));
  }

  /** In order of measures; measures nobody has are left out. */
  packs(): MeasurePack[] {
    const ascending = [...this.cells].sort(([a], [b]) => a - b);
    const packs: MeasurePack[] = [];
    for (const [measure, kind] of COUNTED) {
      const counted = ascending.filter(([, cell]) => cell[kind].size > 0);
      const lists = counted.map(([id, cell]) => [id, listOf(cell[kind])] as const);
      if (lists.length > 0) packs.push({ measure, bytes: encodeCountPack(lists) });
    }
    const measures = Math.max(0, ...ascending.map(([, { values }]) => values.length));
    for (let measure = 0; measure < measures; measure++) {
      const measured: (readonly [number, CellValues])[] = [];
      for (const [id, { values }] of ascending) {
        const found = values[measure];
        if (found !== undefined) measured.push([id, found]);
      }
      if (measured.length > 0) packs.push({ measure, bytes: encodeSketchPack(measured) });
    }
    return packs;
  }
}

const COUNTED = [
  [COUNTS, 'counts'],
  [CLIENTS, 'clients'],
] as const;

function listOf(counts: ReadonlyMap<number, number>): CountList {
  const ids = Int32Array.from(counts.keys()).sort();
  return { ids, counts: Array.from(ids, (id) => counts.get(id) ?? 0) };
}
