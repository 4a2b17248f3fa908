/** Numbers up to 2⁵³ need seven bytes. */
const BYTE = 256;
const LOW = 2 ** 32;

/** How many bytes a whole number ≥ 0 takes. */
export function bytesFor(max: number): number {
  let bytes = 1;
  for (let limit = BYTE; max >= limit; limit *= BYTE) bytes++;
  return bytes;
}

/**
 * Whole numbers ≥ 0 byte by byte: first the lowest byte of each, then the next. High bytes are nearly all alike, which
 * deflate sees in this order, and any width fits.
 */
export function encodePlanes(values: Float64Array, width: number): Uint8Array {
  const bytes = new Uint8Array(values.length * width);
  writePlanes(values, values.length, width, bytes);
  return bytes;
}

/** The first `n` of `values` into `bytes`, which has room for `n` times `width`. */
export function writePlanes(values: Float64Array, n: number, width: number, bytes: Uint8Array): void {
  for (let plane = 0; plane < Math.min(width, 4); plane++) {
    const shift = 8 * plane;
    const base = plane * n;
    // Above 2³² the bit operators see the lowest 32 bits, which is what these planes hold.
    for (let row = 0; row < n; row++) bytes[base + row] = (values[row] as number) >>> shift;
  }
  for (let plane = 4; plane < width; plane++) {
    const shift = 8 * (plane - 4);
    for (let row = 0; row < n; row++) bytes[plane * n + row] = Math.floor((values[row] as number) / LOW) >>> shift;
  }
}

/** Writes the numbers into `values`, each `less` smaller than it was written. */
export function decodePlanes(bytes: Uint8Array, width: number, values: Float64Array | Int32Array, less: 0 | 1): void {
  const n = values.length;
  if (bytes.length !== n * width) throw new RangeError(`a column of ${bytes.length} bytes, not ${n} × ${width}`);
  // Nearly all columns have one to three bytes: one pass for them, in whole numbers.
  if (width === 1) for (let row = 0; row < n; row++) values[row] = byteAt(bytes, row) - less;
  else if (width === 2)
    for (let row = 0; row < n; row++) values[row] = (byteAt(bytes, row) | (byteAt(bytes, n + row) << 8)) - less;
  else {
    for (let row = 0; row < n; row++) {
      values[row] = (byteAt(bytes, row) | (byteAt(bytes, n + row) << 8) | (byteAt(bytes, 2 * n + row) << 16)) - less;
    }
  }
  let scale = BYTE ** 3;
  for (let plane = 3; plane < width; plane++, scale *= BYTE) {
    const base = plane * n;
    for (let row = 0; row < n; row++) values[row] = (values[row] as number) + byteAt(bytes, base + row) * scale;
  }
}

function byteAt(bytes: Uint8Array, place: number): number {
  return bytes[place] as number;
}
