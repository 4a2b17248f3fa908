/**
 * What one step takes in, so that memory stays bounded and a step short: this, or all there is. Samples have 64 to 100
 * bytes; those of invented names may have far more, and each text costs its bytes again once it is read.
 */
const STEP = { samples: 1_000_000, bytes: 128 * 2 ** 20 };
/** Small chunks are taken together: each set of columns has to look up every cell it has. */
const TOGETHER = { samples: 150_000, bytes: 24 * 2 ** 20 };

/** Where a chunk is and what lies in it. */
export interface ChunkSpan {
  readonly id: number;
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** As stored. */
  readonly bytes: number;
}

/** Whether these are as many as a step takes, so that more may wait. */
export function fillStep(chunks: Iterable<ChunkSpan>): boolean {
  let [samples, bytes] = [0, 0];
  for (const chunk of chunks) {
    samples += chunk.n;
    bytes += chunk.bytes;
  }
  return samples >= STEP.samples || bytes >= STEP.bytes;
}

/** As many as a step takes. */
export function firstOf(chunks: Iterable<ChunkSpan>, maxBytes = STEP.bytes): ChunkSpan[] {
  const [first = []] = split(chunks, { ...STEP, bytes: maxBytes });
  return first;
}

/** Those that are decoded together. */
export function groupsOf(chunks: readonly ChunkSpan[]): ChunkSpan[][] {
  return [...split(chunks, TOGETHER)];
}

/** Lazily: there may be far more than the first group. A group ends with the chunk that fills it. */
function* split(chunks: Iterable<ChunkSpan>, limit: typeof STEP): Generator<ChunkSpan[]> {
  let group: ChunkSpan[] = [];
  let [samples, bytes] = [0, 0];
  for (const chunk of chunks) {
    group.push(chunk);
    samples += chunk.n;
    bytes += chunk.bytes;
    if (samples < limit.samples && bytes < limit.bytes) continue;
    yield group;
    group = [];
    [samples, bytes] = [0, 0];
  }
  if (group.length > 0) yield group;
}
