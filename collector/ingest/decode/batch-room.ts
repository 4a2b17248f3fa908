/** Where the columns of a batch are put while it is read. Who asks for room writes to all of it. */
export interface BatchRoom {
  numbers(n: number): Float64Array;
  codes(n: number): Int32Array;
}

/** Memory of its own for every column: for whoever keeps what was read. */
export const LASTING_ROOM: BatchRoom = {
  numbers: (n) => new Float64Array(n),
  codes: (n) => new Int32Array(n),
};

export interface ReusedRoom extends BatchRoom {
  /** What was handed out before is written over from here on. */
  startOver(): void;
}

/** Values of one kind: all columns of some hundred batches of fifty rows. What is beyond gets memory of its own. */
const PLACES = 1 << 17;

/**
 * The same memory for one group of batches after the other. To ask for fresh memory costs more than filling fifty places
 * of it, and memory that was just in use is near the processor still.
 */
export function createReusedRoom(places = PLACES): ReusedRoom {
  const [numbers, codes] = [new Float64Array(places), new Int32Array(places)];
  let [usedNumbers, usedCodes] = [0, 0];
  return {
    numbers(n) {
      if (usedNumbers + n > places) return LASTING_ROOM.numbers(n);
      usedNumbers += n;
      return numbers.subarray(usedNumbers - n, usedNumbers);
    },
    codes(n) {
      if (usedCodes + n > places) return LASTING_ROOM.codes(n);
      usedCodes += n;
      return codes.subarray(usedCodes - n, usedCodes);
    },
    startOver() {
      [usedNumbers, usedCodes] = [0, 0];
    },
  };
}
