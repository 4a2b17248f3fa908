/** Values in one piece of memory: about a hundred batches of fifty rows. */
const PIECE = 1 << 16;
/** What takes more than this part of a piece gets memory of its own, or the rest of the piece would be lost. */
const LARGEST_PART = 8;

/**
 * Room for the columns of batches. Asking for memory costs more than filling fifty places of it, so it is asked for in
 * large pieces and handed out in order, as Node does for small buffers. A piece goes when the last batch in it does.
 */
function createRoom<T extends Float64Array | Int32Array>(make: (length: number) => T): (n: number) => T {
  let piece = make(0);
  let used = 0;
  return (n) => {
    if (n > PIECE / LARGEST_PART) return make(n);
    if (used + n > piece.length) {
      piece = make(PIECE);
      used = 0;
    }
    used += n;
    return piece.subarray(used - n, used) as T;
  };
}

/** `n` numbers, all to be written by the caller. */
export const roomForNumbers: (n: number) => Float64Array = createRoom((length) => new Float64Array(length));
/** `n` places in a dictionary, all to be written by the caller. */
export const roomForCodes: (n: number) => Int32Array = createRoom((length) => new Int32Array(length));
