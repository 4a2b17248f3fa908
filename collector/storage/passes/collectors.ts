import { GroupSketch, type PlainSketch, toPlainSketch } from '../rollups/group-sketch.ts';
import { type IntegerArray, IntegerList } from '../rollups/integer-list.ts';
import { mergeIntoSketches, visitExactBlock } from '../rollups/value-block.ts';
import { sortedCopy } from './radix-sort.ts';

/** A distribution that can be sent from one thread to another. */
export type CollectedValues = { readonly sketch: PlainSketch } | { readonly sorted: IntegerArray };

/** Collects one measure for all groups of a query, from packs and from rows alike. */
export interface Collector {
  addBlock(block: Uint8Array, groupOf: (cell: number) => number): void;
  /** @param groups per row, −1 for none; NaN is no value */
  addRows(values: Float64Array, groups: Int32Array): void;
  /** Of one group; empty where it has no values. */
  take(group: number): CollectedValues;
}

/** All collectors of one question. */
export interface Collectors {
  create(): Collector;
  /** Whether every value was kept. */
  exact(): boolean;
}

/** Exact values of one question, four bytes each: beyond, what comes from samples is sketched like everything else. */
const MAX_VALUES = 60_000_000;

/** @param maxValues kept of rows */
export function createCollectors(exact: boolean, maxValues = MAX_VALUES): Collectors {
  let values = 0;
  let sketched = !exact;

  /** Keeps values as long as all of them have room; from then on a sketch of them. */
  function boundedCollector(): Collector {
    let kept: ExactCollector | null = exactCollector();
    const sketches = sketchCollector();
    return {
      addBlock(block, groupOf) {
        if (kept === null) throw new RangeError('Values of a pack came after too many values of rows.');
        kept.addBlock(block, groupOf);
      },
      addRows(rows, groups) {
        if (kept !== null && !sketched) {
          values += kept.addRows(rows, groups);
          sketched = values > maxValues;
          return;
        }
        kept?.moveTo(sketches);
        kept = null;
        sketches.addRows(rows, groups);
      },
      take: (group) => (kept ?? sketches).take(group),
    };
  }

  return { create: () => (exact ? boundedCollector() : sketchCollector()), exact: () => !sketched };
}

interface SketchCollector extends Collector {
  sketchOf(group: number): GroupSketch;
}

function sketchCollector(): SketchCollector {
  // Made for every group at its first value; packs ask by index.
  const sketches: GroupSketch[] = [];
  const sketchOf = (group: number): GroupSketch => {
    while (sketches.length <= group) sketches.push(new GroupSketch());
    return sketches[group] as GroupSketch;
  };
  return {
    sketchOf,
    addBlock: (block, groupOf) => mergeIntoSketches(block, { groupOf, sketchOf }),
    addRows(values, groups) {
      for (let row = 0; row < values.length; row++) {
        const value = values[row] as number;
        const group = groups[row] as number;
        if (group >= 0 && !Number.isNaN(value)) sketchOf(group).add(value);
      }
    },
    take: (group) => ({ sketch: toPlainSketch(sketchOf(group)) }),
  };
}

interface ExactCollector extends Omit<Collector, 'addRows'> {
  /** @returns how many values were added */
  addRows(values: Float64Array, groups: Int32Array): number;
  moveTo(sketches: SketchCollector): void;
}

function exactCollector(): ExactCollector {
  const lists: IntegerList[] = [];
  const valuesOf = (group: number): IntegerList => {
    while (lists.length <= group) lists.push(new IntegerList());
    return lists[group] as IntegerList;
  };
  return {
    addBlock: (block, groupOf) => visitExactBlock(block, { groupOf, valuesOf }),
    addRows(values, groups) {
      let added = 0;
      for (let row = 0; row < values.length; row++) {
        const value = values[row] as number;
        const group = groups[row] as number;
        if (group < 0 || Number.isNaN(value)) continue;
        valuesOf(group).add(value);
        added++;
      }
      return added;
    },
    take(group) {
      return { sorted: sortedCopy(lists[group]?.parts() ?? []) };
    },
    moveTo(sketches) {
      lists.forEach((list, group) => {
        const sketch = sketches.sketchOf(group);
        for (const values of list.parts()) {
          for (let place = 0; place < values.length; place++) sketch.add(values[place] as number);
        }
      });
      lists.length = 0;
    },
  };
}
