import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellValues } from '../../../collector/store/pack/cell-values.ts';
import { encodeCountPack, visitCountPack } from '../../../collector/store/pack/count-pack.ts';
import { GroupSketch } from '../../../collector/store/pack/group-sketch.ts';
import { encodeSketchPack, mergeIntoCells, mergeIntoSketches } from '../../../collector/store/pack/value-pack.ts';
import { fromPlainSketch, toPlainSketch } from '../../../collector/store/query/plain-sketch.ts';
import { sketchOf } from '../../../shared/statistics/sketch.ts';
import { encodeSketch } from '../../../shared/statistics/sketch-codec.ts';

const value = fc.oneof(fc.integer({ min: 0, max: 5e6 }), fc.integer({ min: -1e6, max: 2 ** 36 }));
const cells = fc.dictionary(fc.nat(500).map(String), fc.array(value, { minLength: 1, maxLength: 60 }), {
  minKeys: 1,
  maxKeys: 8,
});

function packOf(values: Readonly<Record<string, readonly number[]>>): Uint8Array {
  return encodeSketchPack(
    Object.entries(values).map(([cell, list]) => {
      const into = new CellValues();
      for (const one of list) into.add(one);
      return [Number(cell), into] as const;
    }),
  );
}

test('a pack holds what its cells held: merged, it is the sketch of all values', () => {
  fc.assert(
    fc.property(cells, (values) => {
      const sketch = new GroupSketch();
      mergeIntoSketches(packOf(values), { groupOf: () => 0, sketchOf: () => sketch });
      expect(encodeSketch(fromPlainSketch(toPlainSketch(sketch)))).toEqual(
        encodeSketch(sketchOf(Object.values(values).flat())),
      );
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('packs of parts make, in any order, the very pack of the whole', () => {
  fc.assert(
    fc.property(cells, cells, (one, two) => {
      const merged = new Map<number, CellValues>();
      const cellAt = (cell: number) => {
        const known = merged.get(cell) ?? new CellValues();
        merged.set(cell, known);
        return known;
      };
      for (const part of [two, one]) mergeIntoCells(packOf(part), cellAt);
      const whole = Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(two)])].map((cell) => [
          cell,
          [...(one[cell] ?? []), ...(two[cell] ?? [])],
        ]),
      );
      expect(encodeSketchPack(merged)).toEqual(packOf(whole));
    }),
    { seed: 6, numRuns: 200 },
  );
});

test('counters come back, and cells nobody wants are skipped', () => {
  const pack = encodeCountPack([
    [7, { ids: [3, 900], counts: [1, 1e6] }],
    [2, { ids: [1], counts: [5] }],
  ]);
  const seen: number[][] = [];
  visitCountPack(
    pack,
    (cell) => cell === 7,
    (...found) => seen.push(found),
  );
  expect(seen).toEqual([
    [7, 3, 1],
    [7, 900, 1e6],
  ]);
});

test('a damaged pack throws', () => {
  const pack = packOf({ 1: [5, 6, 7], 4: Array.from({ length: 40 }, (_, i) => i * 1000) });
  const read = (bytes: Uint8Array) => () =>
    mergeIntoSketches(bytes, { groupOf: () => 0, sketchOf: () => new GroupSketch() });
  expect(read(pack.subarray(0, pack.length - 1))).toThrow(RangeError);
  expect(read(Uint8Array.from([...pack, 0]))).toThrow(RangeError);
  expect(read(Uint8Array.from([8, ...pack.subarray(1)]))).toThrow('pack format 8');
});
