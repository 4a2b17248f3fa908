import { expect, test } from 'vitest';
import { comparableKinds, type Kind } from '../../../collector/analysis/changes/comparable-kinds.ts';

const DAYS = 20;

function kind(names: readonly string[], from: number, to: number, perDay = 2): Kind {
  const days = Array.from({ length: to - from }, (_, i) => ({
    day: from + i,
    sorted: new Float64Array(perDay).fill(from + i),
  }));
  return { names, days };
}

const sizes = (kinds: readonly Kind[]) =>
  comparableKinds(kinds, DAYS).map((days) => [
    days[0]?.day,
    days.at(-1)?.day,
    days.reduce((sum, { sorted }) => sum + sorted.length, 0),
  ]);

test('a kind that lasts is compared with itself', () => {
  expect(sizes([kind(['/a Lyon', '/a', 'all'], 0, 20), kind(['/b Lyon', '/b', 'all'], 1, 19)])).toEqual([
    [0, 19, 40],
    [1, 18, 36],
  ]);
});

test('rare ones are joined by their path, and what is left by the coarsest name', () => {
  const rare = (site: string) => kind([`/a ${site}`, '/a', 'all'], 0, 20, 1);
  const seldom = (name: string, ...days: number[]): Kind => ({
    names: [`${name} Lyon`, name, 'all'],
    days: days.map((day) => ({ day, sorted: Float64Array.of(1) })),
  });
  expect(sizes([rare('Lyon'), seldom('/b', 0, 19), seldom('/c', 3)])).toEqual([
    [0, 19, 20],
    [0, 19, 3],
  ]);
  const parts = [0, 1, 2].map((part): Kind => {
    const days = [0, 6, 12, 19].map((day) => ({ day, sorted: Float64Array.of(part) }));
    return { names: [`/a ${part}`, '/a', 'all'], days };
  });
  expect(comparableKinds(parts, DAYS)[0]?.[0]?.sorted).toEqual(Float64Array.of(0, 1, 2));
  expect(sizes(parts)).toEqual([[0, 19, 12]]);
});

test('a page with a new address is compared together with the old one', () => {
  expect(sizes([kind(['/v2 Lyon', '/v2', 'all'], 0, 10), kind(['/v3 Lyon', '/v3', 'all'], 10, 20)])).toEqual([
    [0, 19, 40],
  ]);
});

test('a kind that was never measured is none', () => {
  expect(comparableKinds([{ names: ['/a Lyon', '/a', 'all'], days: [] }], DAYS)).toEqual([]);
});
