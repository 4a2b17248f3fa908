/** Values are stored as one more, in planes: the lowest byte of each, then the next of each. Without planes all are 0. */
export function readNumbers(bytes: Uint8Array, start: number, width: number, into: Float64Array): void {
  if (width === 0) {
    into.fill(0);
    return;
  }
  const n = into.length;
  const [second, third] = [start + n, start + 2 * n];
  for (let row = 0; row < n; row++) {
    let stored: number = bytes[start + row] as number;
    if (width > 1) stored |= (bytes[second + row] as number) << 8;
    if (width > 2) stored |= (bytes[third + row] as number) << 16;
    if (width > 3) stored = addPlanes(stored, 3, bytes, start + row, n, width);
    into[row] = stored - 1;
  }
}

/** Those from `first` on. */
function addPlanes(low: number, first: number, bytes: Uint8Array, at: number, n: number, width: number): number {
  let value = low;
  let factor = 256 ** first;
  for (let plane = first; plane < width; plane++) {
    value += (bytes[at + plane * n] as number) * factor;
    factor *= 256;
  }
  return value;
}

export function readCodes(bytes: Uint8Array, start: number, width: number, into: Int32Array): void {
  if (width === 0) {
    into.fill(0);
    return;
  }
  const n = into.length;
  for (let row = 0; row < n; row++) {
    const high = width > 1 ? (bytes[start + n + row] as number) : 0;
    into[row] = ((bytes[start + row] as number) | (high << 8)) - 1;
  }
}

/** NaN where the sender could not write the difference. */
export function readDeltas(bytes: Uint8Array, start: number, width: number, into: Float64Array): void {
  for (let row = 0; row < into.length; row++) {
    const stored = addPlanes(0, 0, bytes, start + row, into.length, width);
    if (stored > Number.MAX_SAFE_INTEGER) into[row] = Number.NaN;
    else into[row] = stored % 2 === 0 ? stored / 2 : -(stored + 1) / 2;
  }
}
