/** Allocates the columns of a batch. Not zeroed: the caller writes every value. */
export interface ColumnBuffers {
  numbers(n: number): Float64Array;
  codes(n: number): Int32Array;
}

/** New memory for every column, for callers that keep them. */
export const NEW_BUFFERS: ColumnBuffers = {
  numbers: (n) => new Float64Array(n),
  codes: (n) => new Int32Array(n),
};

export interface ReusedBuffers extends ColumnBuffers {
  /** From here on, earlier columns are overwritten. */
  reset(): void;
}

/** Values of each kind: all columns of about a hundred batches of fifty rows. Beyond that, columns get new memory. */
const CAPACITY = 1 << 17;

/**
 * One block of memory for group after group of batches. Allocating costs more than filling fifty values, and memory that was
 * just in use is still in the CPU cache.
 */
export function createReusedBuffers(capacity = CAPACITY): ReusedBuffers {
  const [numbers, codes] = [new Float64Array(capacity), new Int32Array(capacity)];
  let [usedNumbers, usedCodes] = [0, 0];
  return {
    numbers(n) {
      if (usedNumbers + n > capacity) return NEW_BUFFERS.numbers(n);
      usedNumbers += n;
      return numbers.subarray(usedNumbers - n, usedNumbers);
    },
    codes(n) {
      if (usedCodes + n > capacity) return NEW_BUFFERS.codes(n);
      usedCodes += n;
      return codes.subarray(usedCodes - n, usedCodes);
    },
    reset() {
      [usedNumbers, usedCodes] = [0, 0];
    },
  };
}
