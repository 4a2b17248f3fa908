import type { Distribution } from '../../../shared/statistics/distribution.ts';
import { sortedDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { type SketchState, sketchDistribution } from '../../../shared/statistics/sketch-distribution.ts';
import { type IntegerArray, IntegerList } from '../rollups/integer-list.ts';
import { mergeIntoSketches, visitExactBlock } from '../rollups/value-block.ts';
import { sortedCopy } from './radix-sort.ts';

export function toDistribution(plain: CollectedValues): Distribution {
  return 'sorted' in plain ? sortedDistribution(plain.sorted) : sketchDistribution(plain.sketch);
}

/** A distribution as data that can be sent between threads. */
export type CollectedValues = { readonly sketch: SketchState } | { readonly sorted: IntegerArray };

/** Collects the values of all groups of a query, from rollup blocks and from rows. */
export interface Collector {
  addBlock(block: Uint8Array, groupOf: (cell: number) => number): void;
  /** @param groups per row, −1 for none; NaN for no value */
  addRows(values: Float64Array, groups: Int32Array): void;
  /** The values of one group, which may be none. */
  take(group: number): CollectedValues;
}

/** The collectors of one question, which share a limit. */
export interface Collectors {
  create(): Collector;
  /** Whether every value was kept. */
  exact(): boolean;
}

/** Exact values of one question, four bytes each; beyond that, values of samples are sketched. */
const MAX_VALUES = 60_000_000;

/** @param maxValues limits how many values from rows are kept */
export function createCollectors(exact: boolean, maxValues = MAX_VALUES): Collectors {
  let values = 0;
  let sketched = !exact;

  /** Keeps values up to the limit, then a sketch of them. */
  function boundedCollector(): Collector {
    let kept: ExactCollector | null = exactCollector();
    const sketches = sketchCollector();
    return {
      addBlock(block, groupOf) {
        if (kept === null) throw new RangeError('Values of a block came after too many values of rows.');
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
  sketchOf(group: number): Sketch;
}

function sketchCollector(): SketchCollector {
  // Created at a group's first value.
  const sketches: Sketch[] = [];
  const sketchOf = (group: number): Sketch => {
    while (sketches.length <= group) sketches.push(new Sketch());
    return sketches[group] as Sketch;
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
    take: (group) => ({ sketch: sketchOf(group).state() }),
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
          for (let index = 0; index < values.length; index++) sketch.add(values[index] as number);
        }
      });
      lists.length = 0;
    },
  };
}
