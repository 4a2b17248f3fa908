/** Samples one step takes in, so that memory stays bounded and a step short: so many, or all there are. */
export const STEP_SAMPLES = 1_000_000;
/** Small chunks are taken together: each set of columns has to look up every cell it has. */
const TOGETHER_SAMPLES = 150_000;

/** Where a chunk is and what lies in it. */
export interface ChunkPlace {
  readonly id: number;
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
}

/** As many as a step takes. */
export function firstOf(chunks: Iterable<ChunkPlace>): ChunkPlace[] {
  const taken: ChunkPlace[] = [];
  let samples = 0;
  for (const chunk of chunks) {
    taken.push(chunk);
    samples += chunk.n;
    if (samples >= STEP_SAMPLES) break;
  }
  return taken;
}

/** Those that are decoded together. */
export function groupsOf(chunks: readonly ChunkPlace[]): ChunkPlace[][] {
  const groups: ChunkPlace[][] = [];
  let samples = TOGETHER_SAMPLES;
  for (const chunk of chunks) {
    if (samples >= TOGETHER_SAMPLES) {
      groups.push([]);
      samples = 0;
    }
    groups.at(-1)?.push(chunk);
    samples += chunk.n;
  }
  return groups;
}
