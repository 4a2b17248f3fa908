import type { BatchBody, ParsedBatch } from './read-body.ts';

/** The bodies of one group commit, one behind the other: one piece of memory goes to another thread faster than many. */
export interface BodyGroup {
  /** In memory that both threads see, if they fit into a room. */
  readonly bytes: Uint8Array;
  /** Where each begins and ends; between two of them may lie up to seven bytes that are nobody's. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly receivedAt: Float64Array;
  /** Ids of the ingest keys they were sent with. */
  readonly keys: readonly string[];
  /** Numbers of the networks they came from, 0 where unknown. */
  readonly networks: Int32Array;
  /** Whether browsers known for less than a day may store anything. */
  readonly takesNewcomers: readonly boolean[];
  /** In the place of bytes, where they had to be parsed; null where none had. */
  readonly parsed: readonly (ParsedBatch | undefined)[] | null;
}

/** Four times what a group of usual batches has. */
const POOL_BUFFER_BYTES = 2 ** 20;
/**
 * V8 copies into shared memory by words where both sides begin at the same place of a word, and byte by byte elsewhere
 * (`Relaxed_Memcpy` in src/base/atomicops.h): one in a hundred parts of a server's work was that.
 */
const WORD_BYTES = 8;

export interface BodyPool {
  /** The bodies side by side; theirs until they are given back. */
  fill(bodies: readonly BatchBody[]): BodyGroup;
  giveBack(group: BodyGroup): void;
}

/**
 * Shared memory that is used again: a copy for another thread is fresh memory for each group, and collecting that garbage
 * is what made the engine's thread collect all it has, optimized code included, every second. What is larger than a room
 * goes as a copy: V8 does not count shared memory, so whoever sent large bodies could have had more of it than there is
 * before anything is collected.
 */
export function createBodyPool(poolBytes = POOL_BUFFER_BYTES): BodyPool {
  const free: SharedArrayBuffer[] = [];

  function room(length: number): ArrayBufferLike {
    return length > poolBytes ? new ArrayBuffer(length) : (free.pop() ?? new SharedArrayBuffer(poolBytes));
  }

  return {
    fill(bodies) {
      const starts = new Int32Array(bodies.length);
      const ends = new Int32Array(bodies.length);
      let end = 0;
      bodies.forEach(({ bytes: { byteOffset, length } }, place) => {
        starts[place] = end + ((byteOffset - end) & (WORD_BYTES - 1));
        end = (starts[place] as number) + length;
        ends[place] = end;
      });
      const bytes = new Uint8Array(room(end), 0, end);
      bodies.forEach((body, place) => {
        bytes.set(body.bytes, starts[place] as number);
      });
      return {
        bytes,
        starts,
        ends,
        receivedAt: Float64Array.from(bodies, (body) => body.receivedAt),
        keys: bodies.map(({ key }) => key),
        networks: Int32Array.from(bodies, ({ network = 0 }) => network),
        takesNewcomers: bodies.map(({ takesNewcomers = true }) => takesNewcomers),
        parsed: bodies.some(({ parsed }) => parsed) ? bodies.map(({ parsed }) => parsed) : null,
      };
    },
    giveBack({ bytes: { buffer } }) {
      if (buffer instanceof SharedArrayBuffer) free.push(buffer);
    },
  };
}
