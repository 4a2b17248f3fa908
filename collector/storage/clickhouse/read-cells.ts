import { once } from '../../lib/once.ts';
import { groupRows } from '../../reductions/combine-codes.ts';
import { type CellCatalog, createCellCatalog } from '../rollups/cell-catalog.ts';
import { CELL_DIMENSIONS } from '../rollups/cell-dimensions.ts';
import { encodeCountBlock } from '../rollups/count-block.ts';
import {
  encodeCountedBlock,
  encodeNumbersBlock,
  encodeSummedBlock,
  type SummedSketch,
} from '../rollups/value-block.ts';
import type { NativeBlock } from './native-reader.ts';

/** Blocks that are read at once are not worth compressing. */
const STORED = 0;

/** A block for each step, by its start; by ONLY_STEP if the answer has no steps. */
export type BlockOfStep = ReadonlyMap<number, Uint8Array>;
export const ONLY_STEP = 0;

/** Answers of statements that are grouped by cell, as the blocks that passes read. */
export interface ReadCells {
  /** With the numbers that the blocks use for cells, counters and browsers. */
  readonly catalog: CellCatalog;
  /** Has to be awaited before the catalog is asked for the ids of browsers. */
  nameClients(): Promise<void>;
  counts(block: NativeBlock): BlockOfStep;
  clients(block: NativeBlock): BlockOfStep;
  /** By metric. */
  sketches(block: NativeBlock): ReadonlyMap<number, BlockOfStep>;
  values(block: NativeBlock): BlockOfStep;
  /** Of values that were only counted. */
  numbers(block: NativeBlock): BlockOfStep;
}

/**
 * Cells and browsers get numbers of this reader's own as they occur.
 * @param idsOf the ids of browsers by the numbers that ClickHouse has for them, asked for at most once
 */
export function createReadCells(idsOf: () => Promise<ReadonlyMap<string, string>>): ReadCells {
  const numbers = new Map<string, number>();
  const remote: string[] = [];
  let ids: ReadonlyMap<string, string> = new Map();
  const catalog = createCellCatalog({
    // Blocks and rows are never read together.
    find: () => undefined,
    textOf: (number) => ids.get(remote[number] ?? ''),
    last: () => remote.length,
  });

  function numberOf(client: string): number {
    const known = numbers.get(client);
    if (known !== undefined) return known;
    const number = remote.push(client) - 1;
    numbers.set(client, number);
    return number;
  }

  /** The cell of each row. */
  function cellsOf(block: NativeBlock): Int32Array {
    // Dimensions that were not asked for are absent.
    const columns = CELL_DIMENSIONS.map((name) => {
      if (!block.has(name)) return { codes: new Int32Array(block.n), ids: [0] };
      const { strings, codes } = block.text(name);
      return { codes, ids: strings.map((text) => (text === '' ? 0 : catalog.stringId(name, text))) };
    });
    const { codes, first } = groupRows(
      block.n,
      columns.map((column) => ({ codes: column.codes, size: column.ids.length })),
    );
    const cells = first.map((row) =>
      catalog.cellOf(columns.map((column) => column.ids[column.codes[row] as number] ?? 0)),
    );
    return codes.map((code) => cells[code] as number);
  }

  /** @param idsOf of each string of a column, what it counts */
  function counted(block: NativeBlock, column: string, idsOf: (text: string) => readonly number[]): BlockOfStep {
    const cells = cellsOf(block);
    const { strings, codes } = block.text(column);
    const n = block.numbers('n');
    const ids = strings.map(idsOf);
    return mapValues(rowsByStep(block), (rows) => {
      const counts = new Map<number, Map<number, number>>();
      for (const row of rows) {
        const cell = cells[row] as number;
        const own = counts.get(cell) ?? new Map<number, number>();
        counts.set(cell, own);
        for (const id of ids[codes[row] as number] ?? []) own.set(id, (own.get(id) ?? 0) + (n[row] as number));
      }
      return encodeCountBlock(counts, STORED);
    });
  }

  return {
    catalog,
    nameClients: once(async () => {
      ids = await idsOf();
    }),
    counts: (block) =>
      counted(block, 'counters', (names) => names.split(' ').map((name) => catalog.stringId('counter', name))),
    clients: (block) => counted(block, 'number', (client) => [numberOf(client)]),
    sketches(block) {
      const cells = cellsOf(block);
      const [n, sum, min, max, hi, lo] = ['n', 'total', 'least', 'most', 'squaresHigh', 'squaresLow'].map((name) =>
        block.numbers(name),
      ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
      const buckets = block.lists('slots');
      const counts = block.lists('times');
      const sketchOf = (row: number): SummedSketch => {
        const [from, to] = [buckets.ends[row - 1] ?? 0, buckets.ends[row]];
        return {
          n: n[row] as number,
          sum: sum[row] as number,
          squares: { hi: hi[row] as number, lo: lo[row] as number },
          min: min[row] as number,
          max: max[row] as number,
          buckets: buckets.values.subarray(from, to),
          counts: counts.values.subarray(from, to),
        };
      };
      const metrics = block.numbers('metric');
      return mapValues(rowsBy(metrics, rowsOf(block)), (ofMetric) =>
        mapValues(rowsByStep(block, ofMetric), (rows) =>
          encodeSummedBlock(rows.map((row) => [cells[row] as number, sketchOf(row)])),
        ),
      );
    },
    numbers(block) {
      const n = block.numbers('n');
      const cells = cellsOf(block);
      return mapValues(rowsByStep(block), (rows) =>
        encodeNumbersBlock(rows.map((row) => [cells[row] as number, n[row] as number])),
      );
    },
    values(block) {
      const { ends, values } = block.lists('list');
      const times = block.lists('times').values;
      const cells = cellsOf(block);
      return mapValues(rowsByStep(block), (rows) =>
        encodeCountedBlock(
          rows.map((row) => {
            const [from, to] = [ends[row - 1] ?? 0, ends[row]];
            return [cells[row] as number, { values: values.subarray(from, to), times: times.subarray(from, to) }];
          }),
        ),
      );
    },
  };
}

const rowsOf = ({ n }: NativeBlock) => Array.from({ length: n }, (_, row) => row);

/** Rows of each step, in their order. */
function rowsByStep(
  block: NativeBlock,
  among: readonly number[] = rowsOf(block),
): ReadonlyMap<number, readonly number[]> {
  if (block.has('step')) return rowsBy(block.numbers('step'), among);
  return new Map<number, readonly number[]>(among.length === 0 ? [] : [[ONLY_STEP, among]]);
}

function rowsBy(column: Float64Array, among: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const row of among) {
    const key = column[row] as number;
    const rows = found.get(key);
    if (rows === undefined) found.set(key, [row]);
    else rows.push(row);
  }
  return found;
}

function mapValues<V, W>(map: ReadonlyMap<number, V>, of: (value: V) => W): ReadonlyMap<number, W> {
  return new Map(Array.from(map, ([key, value]) => [key, of(value)]));
}
