import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCountBlock, visitCountBlock } from '../../../collector/storage/rollups/count-block.ts';
import { SketchTable } from '../../../collector/storage/rollups/sketch-table.ts';
import {
  encodeCountedBlock,
  encodeExactBlock,
  encodeSketchBlock,
  mergeIntoSketches,
  mergeIntoTable,
  visitValueCounts,
} from '../../../collector/storage/rollups/value-block.ts';
import { Sketch } from '../../../shared/statistics/sketch.ts';
import { type SketchState, sketchDistribution } from '../../../shared/statistics/sketch-distribution.ts';
import { sketchOf } from '../statistics/sketch-of.ts';

const value = fc.oneof(fc.integer({ min: 0, max: 5e6 }), fc.integer({ min: -1e6, max: 2 ** 36 }));
const cells = fc.dictionary(fc.nat(500).map(String), fc.array(value, { minLength: 1, maxLength: 60 }), {
  minKeys: 1,
  maxKeys: 8,
});

function packOf(values: Readonly<Record<string, readonly number[]>>): Uint8Array {
  const table = new SketchTable();
  const places = Object.entries(values).map(([cell, list], place) => {
    for (const one of list) table.add(place, Float64Array.of(one), 1);
    return [Number(cell), place] as const;
  });
  return encodeSketchBlock(table, places);
}

/** All there is to a sketch, however its room is laid out. */
function toldOf(state: SketchState): object {
  const { n, sum, min, max, squares } = state;
  return { n, sum, min, max, squares, bins: sketchDistribution(state).bins() };
}

test('a pack holds what its cells held: merged, it is the sketch of all values', () => {
  fc.assert(
    fc.property(cells, (values) => {
      const sketch = new Sketch();
      mergeIntoSketches(packOf(values), { groupOf: () => 0, sketchOf: () => sketch });
      expect(toldOf(sketch.state())).toEqual(toldOf(sketchOf(Object.values(values).flat()).state()));
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('sketches and single values become one as if each value had been added', () => {
  const repeated = fc.array(fc.tuple(value, fc.oneof(fc.nat(2), fc.nat(2000))), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 40 }), { maxLength: 4 }), repeated, (lists, more) => {
      const all = [...lists.flat(), ...more.flatMap(([one, count]) => new Array<number>(count).fill(one))];
      const parts = lists.map((list) => sketchOf(list).state());
      const merged = new Sketch();
      for (const part of parts) merged.merge(part);
      for (const [one, count] of more) merged.addRepeated(one, count);
      expect(toldOf(merged.state())).toEqual(toldOf(sketchOf(all).state()));
    }),
    { seed: 8, numRuns: 200 },
  );
});

test('values are counted as they are passed over', () => {
  const lists: readonly number[][] = [[5], [], Array.from({ length: 40 }, (_, i) => i * 1000), [1, 2]];
  const byCell = Object.fromEntries(lists.map((list, cell) => [cell, list]));
  const exact = encodeExactBlock(lists.map((list, cell) => [cell, list] as const));
  for (const pack of [packOf(byCell), exact]) {
    const counts: number[][] = [];
    visitValueCounts(
      pack,
      (cell) => cell !== 3,
      (...found) => counts.push(found),
    );
    expect(counts).toEqual([
      [0, 1],
      [1, 0],
      [2, 40],
    ]);
  }
});

test('counted values give the block that they give one by one', () => {
  const one = encodeExactBlock([
    [2, [7, 7, 9, 300]],
    [5, []],
    [6, [-3, -3]],
  ]);
  const counted = encodeCountedBlock([
    [2, { values: [7, 9, 300], times: [2, 1, 1] }],
    [5, { values: [], times: [] }],
    [6, { values: [-3], times: [2] }],
  ]);
  expect([...counted]).toEqual([...one]);
});

test('packs of parts make, in any order, the very pack of the whole', () => {
  fc.assert(
    fc.property(cells, cells, (one, two) => {
      const merged = new SketchTable();
      const places = new Map<number, number>();
      const placeOf = (cell: number) => {
        const place = places.get(cell) ?? places.size;
        places.set(cell, place);
        return place;
      };
      for (const part of [two, one]) mergeIntoTable(packOf(part), merged, placeOf);
      const whole = Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(two)])].map((cell) => [
          cell,
          [...(one[cell] ?? []), ...(two[cell] ?? [])],
        ]),
      );
      expect(encodeSketchBlock(merged, places)).toEqual(packOf(whole));
    }),
    { seed: 6, numRuns: 200 },
  );
});

test.each([3, 7_000_000])('counts go past two bytes, of values that came one by one or as a pack: %i µs', (value) => {
  const run = new Float64Array(50_000).fill(value);
  const table = new SketchTable();
  for (let times = 0; times < 3; times++) table.add(0, run, run.length);
  mergeIntoTable(encodeSketchBlock(table, [[1, 0]]), table, () => 0);
  const sketch = new Sketch();
  mergeIntoSketches(encodeSketchBlock(table, [[1, 0]]), { groupOf: () => 0, sketchOf: () => sketch });
  expect(toldOf(sketch.state())).toEqual(toldOf(sketchOf(new Array<number>(300_000).fill(value)).state()));
});

test('many values at once are the same as one after the other', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(60), (values, split) => {
      const table = new SketchTable();
      for (const part of [values.slice(0, split), values.slice(split)]) {
        if (part.length > 0) table.add(0, Float64Array.from(part), part.length);
      }
      expect(encodeSketchBlock(table, [[1, 0]])).toEqual(packOf({ 1: values }));
    }),
    { seed: 7, numRuns: 200 },
  );
});

test('counters come back, and cells nobody wants are skipped', () => {
  const pack = encodeCountBlock([
    [
      7,
      new Map([
        [900, 1e6],
        [3, 1],
      ]),
    ],
    [2, new Map([[1, 5]])],
  ]);
  const seen: number[][] = [];
  visitCountBlock(
    pack,
    (cell) => cell === 7,
    (...found) => seen.push(found),
  );
  expect(seen).toEqual([
    [7, 3, 1],
    [7, 900, 1e6],
  ]);
});

test('a cell with more counters than most comes back whole', () => {
  const counts = new Map(Array.from({ length: 300 }, (_, place) => [1000 - 3 * place, place + 1] as const));
  const seen = new Map<number, number>();
  visitCountBlock(
    encodeCountBlock([[4, counts]]),
    () => true,
    (_cell, counter, count) => seen.set(counter, count),
  );
  expect(seen).toEqual(counts);
});

test('what a cell holds does not depend on how often the others needed more room', () => {
  const table = new SketchTable();
  const valuesOf = (place: number) =>
    Array.from({ length: 40 }, (_, number) => (place + 1) * (number + 1) ** 3 + 7 * number);
  const places = Array.from({ length: 60 }, (_, place) => place);
  for (const half of [0, 20]) {
    for (const place of places) table.add(place, Float64Array.from(valuesOf(place).slice(half, half + 20)), 20);
  }
  for (const place of places) {
    expect(encodeSketchBlock(table, [[1, place]])).toEqual(packOf({ 1: valuesOf(place) }));
  }
});

test('a damaged pack throws', () => {
  const pack = packOf({ 1: [5, 6, 7], 4: Array.from({ length: 40 }, (_, i) => i * 1000) });
  const read = (bytes: Uint8Array) => () =>
    mergeIntoSketches(bytes, { groupOf: () => 0, sketchOf: () => new Sketch() });
  expect(read(pack.subarray(0, pack.length - 1))).toThrow(RangeError);
  expect(read(Uint8Array.from([...pack, 0]))).toThrow(RangeError);
  const merge = (bytes: Uint8Array) => () => mergeIntoTable(bytes, new SketchTable(), () => 0);
  expect(merge(pack.subarray(0, pack.length - 1))).toThrow(RangeError);
  const sketch = packOf({ 1: Array.from({ length: 40 }, () => 1000) });
  // The last bucket, and its count: elsewhere, and another.
  const altered = (end: number, byte: number) => sketch.map((was, at) => (at === sketch.length - end ? byte : was));
  expect(merge(altered(5, 99))).toThrow('outside');
  expect(merge(altered(3, 39))).toThrow('counts 39');
  expect(read(altered(3, 39))).toThrow('counts 39');
  const wide = packOf({ 1: [...Array.from({ length: 300 }, () => 3), 70_000, 9e6, 9e6, -5] });
  for (const bytes of [pack, sketch, wide]) {
    for (let end = 0; end < bytes.length; end++)
      expect(read(bytes.subarray(0, end)), `${end} bytes`).toThrow(RangeError);
  }
  expect(read(Uint8Array.from([8, ...pack.subarray(1)]))).toThrow('block format 8');
});
