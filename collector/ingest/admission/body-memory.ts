/**
 * Limit for all bodies between arrival and response, compressed and inflated. The collector briefly holds each up to
 * three times (chunks and whole, event loop and writer), which stays far below 1 GiB.
 */
const MAX_BYTES_IN_FLIGHT = 64 * 2 ** 20;

/** Memory held by bodies. */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #heldBy = new Map<number, number>();
  /** Bytes held at the moment, of all clients. */
  held = 0;

  constructor(maxBytes = MAX_BYTES_IN_FLIGHT) {
    this.#maxBytes = maxBytes;
  }

  /** False if the bytes don't fit: no network gets more than half of the free memory, so that one that floods leaves some. */
  reserve(network: number, bytes: number): boolean {
    const own = (this.#heldBy.get(network) ?? 0) + bytes;
    if (own > (this.#maxBytes - this.held - bytes) / 2) return false;
    this.#heldBy.set(network, own);
    this.held += bytes;
    return true;
  }

  free(network: number, bytes: number): void {
    const own = (this.#heldBy.get(network) ?? 0) - bytes;
    if (own > 0) this.#heldBy.set(network, own);
    else this.#heldBy.delete(network);
    this.held -= bytes;
  }
}
