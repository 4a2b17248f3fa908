import { GroupSketch } from '../pack/group-sketch.ts';
import { type GrowingValues, mergeIntoSketches, visitExactPack } from '../pack/value-pack.ts';
import { type PlainSketch, toPlainSketch } from './plain-sketch.ts';
import { sortWhole } from './radix-sort.ts';

/** A distribution that can be sent from one thread to another. */
export type PlainDistribution = { readonly sketch: PlainSketch } | { readonly sorted: Float64Array };

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

const START_LENGTH = 256;

export function exactCollector(): Collector {
  const lists: GrowingValues[] = [];
  function room(group: number, n: number): GrowingValues {
    while (lists.length <= group) lists.push({ values: new Float64Array(START_LENGTH), length: 0 });
    const list = lists[group] as GrowingValues;
    if (list.length + n > list.values.length) {
      const grown = new Float64Array(Math.max(list.length + n, list.values.length * 2));
      grown.set(list.values.subarray(0, list.length));
      list.values = grown;
    }
    return list;
  }
  return {
    addPack: (pack, groupOf) => visitExactPack(pack, { groupOf, room }),
    addRows(values, groups) {
      for (let row = 0; row < values.length; row++) {
        const value = values[row] as number;
        const group = groups[row] as number;
        if (group < 0 || Number.isNaN(value)) continue;
        const list = room(group, 1);
        list.values[list.length++] = value;
      }
    },
    take(group) {
      const list = lists[group];
      const sorted = list === undefined ? new Float64Array(0) : list.values.slice(0, list.length);
      sortWhole(sorted);
      return { sorted };
    },
  };
}
