/** Reusable arrays, by what they hold: allocating, clearing and collecting arrays of 100,000 rows takes long. */
export interface BufferPool {
  numbers(name: string, n: number): Float64Array;
  codes(name: string, n: number): Int32Array;
}

/** Each name has one array, which is valid until that name is requested again. */
export function createBufferPool(): BufferPool {
  const numbers = new Map<string, Float64Array>();
  const codes = new Map<string, Int32Array>();
  return {
    numbers: (name, n) => reuse(numbers, name, n, (length) => new Float64Array(length)),
    codes: (name, n) => reuse(codes, name, n, (length) => new Int32Array(length)),
  };
}

function reuse<T extends Float64Array | Int32Array>(
  kept: Map<string, T>,
  name: string,
  n: number,
  allocate: (length: number) => T,
): T {
  let array = kept.get(name);
  if (array === undefined || array.length < n) {
    array = allocate(n);
    kept.set(name, array);
  }
  return array.subarray(0, n) as T;
}

/** Allocates every time, for results that are kept. */
export const FRESH_BUFFERS: BufferPool = {
  numbers: (_name, n) => new Float64Array(n),
  codes: (_name, n) => new Int32Array(n),
};
