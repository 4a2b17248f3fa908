import { GroupSketch } from '../pack/group-sketch.ts';
import { mergeIntoSketches, visitExactPack } from '../pack/value-pack.ts';
import { type WholeArray, WholeValues } from '../pack/whole-values.ts';
import { type PlainSketch, toPlainSketch } from './plain-sketch.ts';
import { sortedCopy } from './radix-sort.ts';

/** A distribution that can be sent from one thread to another. */
export type PlainDistribution = { readonly sketch: PlainSketch } | { readonly sorted: WholeArray };

/** Collects one measure for all groups of a query, from packs and from rows alike. */
export interface Collector {
  addPack(pack: Uint8Array, groupOf: (cell: number) => number): void;
  /** @param groups per row, −1 for none; NaN is no value */
  addRows(values: Float64Array, groups: Int32Array): void;
  /** Of one group; empty where it has no values. */
  take(group: number): PlainDistribution;
}

export function sketchCollector(): Collector {
  // Made for every group at its first value; packs ask by index.
  const sketches: GroupSketch[] = [];
  const sketchOf = (group: number): GroupSketch => {
    while (sketches.length <= group) sketches.push(new GroupSketch());
    return sketches[group] as GroupSketch;
  };
  return {
    addPack: (pack, groupOf) => mergeIntoSketches(pack, { groupOf, sketchOf }),
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

export function exactCollector(): Collector {
  const lists: WholeValues[] = [];
  const valuesOf = (group: number): WholeValues => {
    while (lists.length <= group) lists.push(new WholeValues());
    return lists[group] as WholeValues;
  };
  return {
    addPack: (pack, groupOf) => visitExactPack(pack, { groupOf, valuesOf }),
    addRows(values, groups) {
      for (let row = 0; row < values.length; row++) {
        const value = values[row] as number;
        const group = groups[row] as number;
        if (group >= 0 && !Number.isNaN(value)) valuesOf(group).add(value);
      }
    },
    take(group) {
      const list = lists[group];
      return { sorted: list === undefined ? new Int32Array(0) : sortedCopy(list.values, list.length) };
    },
  };
}
