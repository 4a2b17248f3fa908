import { type IntegerArray, isNarrow } from './whole-values.ts';

const START_LENGTH = 1024;
/** A list grows by as much as it holds, up to this many values at a time. */
const MAX_STEP = 1 << 16;

/** A part of a list: as many values as its length says, and room behind them. */
export interface ListPart {
  readonly values: IntegerArray;
  length: number;
}

/**
 * A growing list of whole numbers that are never moved. An array that grows is copied each time: of ten million values
 * that is as much again to write, and twice as much to clear away.
 */
export class IntegerList {
  readonly blocks: ListPart[] = [];
  length = 0;

  add(value: number): void {
    const block = this.room(1, isNarrow(value));
    block.values[block.length++] = value;
    this.length++;
  }

  /** A block with room for `n` more side by side. Who writes them adds them to its length and to that of the list. */
  room(n: number, narrow: boolean): ListPart {
    const last = this.blocks.at(-1);
    const fits = last !== undefined && last.length + n <= last.values.length;
    if (fits && (narrow || last.values instanceof Float64Array)) return last;
    const size = Math.max(n, Math.min(this.length, MAX_STEP), START_LENGTH);
    const block = { values: narrow ? new Int32Array(size) : new Float64Array(size), length: 0 };
    this.blocks.push(block);
    return block;
  }

  /** The values, in as many arrays as they lie in. */
  parts(): IntegerArray[] {
    return this.blocks.map(({ values, length }) => values.subarray(0, length));
  }
}
