import type { NetworkQuota } from './client-quotas.ts';

/**
 * Limit for all bodies between arrival and response, compressed and inflated. The collector briefly holds each up to
 * three times (chunks and whole, event loop and writer), which stays far below 1 GiB.
 */
const MAX_BYTES_IN_FLIGHT = 64 * 2 ** 20;
/** A network with no more than this in flight is one of many, and may displace anyone's slow bodies. */
const SMALL_NETWORK_BYTES = 2 * 2 ** 20;
/** A body that receives less than this within a grace period is slow: 8 KiB/s. */
const PROGRESS_BYTES = 16 * 1024;
const GRACE_MS = 2000;

export interface HeldBody {
  readonly network: NetworkQuota;
  /** Bytes since its last progress, and the time of that, epoch ms. */
  recentBytes: number;
  progressAt: number;
  /** Cancels the body while it arrives. */
  displace(): void;
}

/** Memory held by bodies. Slow bodies give way to others when it runs out; merely large ones don't. */
export class BodyMemory {
  readonly #maxBytes: number;
  /** Incomplete bodies, in the order of their last progress, the oldest first. */
  readonly #arriving = new Set<HeldBody>();
  /** Bytes held at the moment, of all clients. */
  held = 0;

  constructor(maxBytes = MAX_BYTES_IN_FLIGHT) {
    this.#maxBytes = maxBytes;
  }

  /** Only recent progress counts: a body that sent nearly everything at once and then stalls is slow too. */
  received(body: HeldBody, bytes: number, now: number): void {
    body.recentBytes += bytes;
    if (this.#arriving.has(body) && body.recentBytes < PROGRESS_BYTES) return;
    body.recentBytes = 0;
    body.progressAt = now;
    this.#arriving.delete(body);
    this.#arriving.add(body);
  }

  arrived(body: HeldBody): void {
    this.#arriving.delete(body);
  }

  /** False if the bytes don't fit, even after slow bodies have been displaced. */
  reserve(body: HeldBody, bytes: number, now: number): boolean {
    if (!this.#fits(body.network, bytes) && !this.#displaceFor(body, bytes, now)) return false;
    body.network.held += bytes;
    this.held += bytes;
    return true;
  }

  free(network: NetworkQuota, bytes: number): void {
    network.held -= bytes;
    this.held -= bytes;
  }

  #displaceFor(body: HeldBody, bytes: number, now: number): boolean {
    const { network } = body;
    const isSmall = network.held + bytes <= SMALL_NETWORK_BYTES;
    for (const slow of this.#arriving) {
      // In either direction: setting the clock back must not protect slow bodies for as long.
      if (Math.abs(now - slow.progressAt) < GRACE_MS) return false;
      // Otherwise a flood would displace browsers on slow lines.
      if (slow === body || !(isSmall || slow.network.held >= network.held)) continue;
      slow.displace();
      if (this.#fits(network, bytes)) return true;
    }
    return false;
  }

  /** No network gets more than half of the free memory, so that even a greedy one leaves some for others. */
  #fits(network: NetworkQuota, bytes: number): boolean {
    return network.held + bytes <= (this.#maxBytes - this.held - bytes) / 2;
  }
}
