/** Arrays that are used again: what a hundred thousand rows need is much to ask for, to clear and to give back. */
export interface BufferPool {
  numbers(name: string, n: number): Float64Array;
  codes(name: string, n: number): Int32Array;
}

export function createBufferPool(): BufferPool {
  const numbers = new Map<string, Float64Array>();
  const codes = new Map<string, Int32Array>();
  const from = <T extends Float64Array | Int32Array>(
    kept: Map<string, T>,
    name: string,
    n: number,
    make: () => T,
  ): T => {
    let array = kept.get(name);
    if (array === undefined || array.length < n) {
      array = make();
      kept.set(name, array);
    }
    return array.subarray(0, n) as T;
  };
  return {
    numbers: (name, n) => from(numbers, name, n, () => new Float64Array(n)),
    codes: (name, n) => from(codes, name, n, () => new Int32Array(n)),
  };
}

/** Fresh arrays: what is read into them lasts. */
export const FRESH_BUFFERS: BufferPool = {
  numbers: (_name, n) => new Float64Array(n),
  codes: (_name, n) => new Int32Array(n),
};
