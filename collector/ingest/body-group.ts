/** A body of `POST /api/v1/batches`, decompressed. */
export interface BatchBody {
  readonly bytes: Uint8Array;
  /** Epoch ms, by the collector's clock: when its request began, since a body may take long. */
  readonly receivedAt: number;
  /** Id of the ingest key it was sent with. */
  readonly key: string;
  /** Number of the network it came from (admission.ts). If absent, unknown: all such bodies count as one network. */
  readonly network?: number;
  /** The IP address it came from, only to look up its site; it is never stored. Null if unknown. */
  readonly address?: string | null;
}

/** The bodies of one group commit in one block of memory, which moves between threads faster than many. */
export interface BodyGroup {
  /** Shared with the writer's thread, if the bodies fit into a buffer of the pool. */
  readonly bytes: Uint8Array;
  /** Range of each body; up to seven bytes between two of them are unused. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly receivedAt: Float64Array;
  /** Ids of the ingest keys they were sent with. */
  readonly keys: readonly string[];
  /** Numbers of the networks they came from, 0 if unknown. */
  readonly networks: Int32Array;
  /** Their IP addresses, null if unknown. */
  readonly addresses: readonly (string | null)[];
}

/** Four times the size of a typical group. */
const POOL_BUFFER_BYTES = 2 ** 20;
/**
 * V8 copies to shared memory by words if both sides have the same alignment, else byte by byte (`Relaxed_Memcpy` in
 * src/base/atomicops.h), which took a hundredth of the server's CPU time.
 */
const WORD_BYTES = 8;

export interface BodyPool {
  /** The group owns its memory until it is released. */
  fill(bodies: readonly BatchBody[]): BodyGroup;
  release(group: BodyGroup): void;
}

/**
 * Shared buffers that are reused: copying each group to the writer's thread allocated memory there, and collecting it made
 * that thread run a full collection, which discards optimized code too, every second. Groups larger than a buffer are still
 * copied: V8 does not count shared memory, so large bodies could exhaust it before anything is collected.
 */
export function createBodyPool(bufferBytes = POOL_BUFFER_BYTES): BodyPool {
  const free: SharedArrayBuffer[] = [];

  function allocate(length: number): ArrayBufferLike {
    return length > bufferBytes ? new ArrayBuffer(length) : (free.pop() ?? new SharedArrayBuffer(bufferBytes));
  }

  return {
    fill(bodies) {
      const starts = new Int32Array(bodies.length);
      const ends = new Int32Array(bodies.length);
      let end = 0;
      bodies.forEach(({ bytes: { byteOffset, length } }, index) => {
        starts[index] = end + ((byteOffset - end) & (WORD_BYTES - 1));
        end = (starts[index] as number) + length;
        ends[index] = end;
      });
      const bytes = new Uint8Array(allocate(end), 0, end);
      bodies.forEach((body, index) => {
        bytes.set(body.bytes, starts[index] as number);
      });
      return {
        bytes,
        starts,
        ends,
        receivedAt: Float64Array.from(bodies, (body) => body.receivedAt),
        keys: bodies.map(({ key }) => key),
        networks: Int32Array.from(bodies, ({ network = 0 }) => network),
        addresses: bodies.map(({ address = null }) => address),
      };
    },
    release({ bytes: { buffer } }) {
      if (buffer instanceof SharedArrayBuffer) free.push(buffer);
    },
  };
}
