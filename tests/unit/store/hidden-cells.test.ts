import { expect, test } from 'vitest';
import { hiddenCells, maxCheckedCells, type TableCells } from '../../../collector/questions/visibility/hidden-cells.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { rounds } from '../../rounds.ts';
import { hideCellsSlowly } from './hide-cells-slowly.ts';

const BELOW = 5;
const TABLES = rounds(100, 1500);
/** Of processor time. Judging each family again in every round took a minute for the chain and never ended for the others. */
const MAX_MS = 20_000;
const LONG = { timeout: 120_000 };

const goOn = () => {};

/** Of cells that share no browser. */
function upTo(cells: Iterable<number>): number {
  let met = 0;
  for (const _ of cells) if (++met === BELOW) break;
  return met;
}

/** @param rows each browser's values, one of each dimension */
function tableOf(rows: readonly { readonly browser: number; readonly values: readonly number[] }[]): TableCells {
  const cells = new Map<string, { values: readonly number[]; browsers: Set<number>; samples: number }>();
  for (const { browser, values } of rows) {
    const name = values.join();
    const cell = cells.get(name) ?? { values, browsers: new Set(), samples: 0 };
    cells.set(name, cell);
    cell.samples++;
    // Browsers below 0 don't count.
    if (browser >= 0) cell.browsers.add(browser);
  }
  const all = [...cells.values()];
  return {
    dimensions: (all[0]?.values ?? []).map((_, index) => {
      const codes = Int32Array.from(all, ({ values }) => values[index] as number);
      return { codes, size: Math.max(...codes) + 1 };
    }),
    samples: Float64Array.from(all, ({ samples }) => samples),
    browsers: Int32Array.from(all, ({ browsers }) => Math.min(browsers.size, BELOW)),
    together(indexes) {
      const met = new Set<number>();
      for (const index of indexes) for (const browser of all[index]?.browsers ?? []) met.add(browser);
      return Math.min(met.size, BELOW);
    },
  };
}

function randomTable(random: () => number): TableCells {
  const dimensions = 1 + Math.floor(4 * random());
  const sizes = Array.from({ length: dimensions }, () => 1 + Math.floor(6 * random()));
  const skew = 1 + 3 * random();
  const browsers = 5 + Math.floor(40 * random());
  const strange = random() < 0.3 ? 3 : 0;
  return tableOf(
    Array.from({ length: 10 + Math.floor(150 * random()) }, () => ({
      browser: Math.floor(browsers * random()) - strange,
      values: sizes.map((size) => Math.floor(size * random() ** skew)),
    })),
  );
}

/** Cells of five browsers along a staircase; the first one is of a single browser. */
function chain(cells: number): TableCells {
  return {
    dimensions: [
      { codes: Int32Array.from({ length: cells }, (_, cell) => cell >> 1), size: (cells >> 1) + 1 },
      { codes: Int32Array.from({ length: cells }, (_, cell) => (cell + 1) >> 1), size: (cells >> 1) + 1 },
    ],
    samples: Float64Array.from({ length: cells }, (_, cell) => 10 + cell),
    browsers: Int32Array.from({ length: cells }, (_, cell) => (cell === 0 ? 1 : BELOW)),
    together: upTo,
  };
}

test('a family is decided once, with the same result as if all were looked at again in each round', () => {
  const random = seededRandom(7);
  let hidden = 0;
  let cells = 0;
  for (let round = 0; round < TABLES; round++) {
    const table = randomTable(random);
    const found = hiddenCells(table, BELOW, goOn);
    expect([round, found]).toEqual([round, hideCellsSlowly(table, BELOW)]);
    cells += found.length;
    hidden += found.filter((one) => one).length;
  }
  // Neither everything nor nothing.
  expect(hidden / cells).toBeGreaterThan(0.2);
  expect(hidden / cells).toBeLessThan(0.98);
});

test('a chain in which each hidden cell hides the next takes linear time', LONG, () => {
  expect(hiddenCells(chain(200), BELOW, goOn)).toEqual(hideCellsSlowly(chain(200), BELOW));
  const before = process.cpuUsage();
  const found = hiddenCells(chain(200_000), BELOW, goOn);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(MAX_MS);
  expect(found.filter((one) => one).length).toBeGreaterThan(190_000);
});

test('it ends within a chain once nobody waits', () => {
  let checks = 0;
  const leave = () => {
    if (++checks > 20) throw new Error('gone');
  };
  expect(() => hiddenCells(chain(200_000), BELOW, leave)).toThrow('gone');
});

test('the most cells that are checked take seconds', LONG, () => {
  const dimensions = 7;
  const size = maxCheckedCells(dimensions);
  const random = seededRandom(3);
  const codes = () => Int32Array.from({ length: size }, () => Math.floor(30 * random() ** 2));
  const table = {
    dimensions: Array.from({ length: dimensions }, () => ({ codes: codes(), size: 30 })),
    samples: new Float64Array(size).fill(3),
    browsers: Int32Array.from({ length: size }, (_, cell) => (cell % 3 === 0 ? 1 : BELOW)),
    together: upTo,
  };
  const before = process.cpuUsage();
  hiddenCells(table, BELOW, goOn);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(MAX_MS);
});
