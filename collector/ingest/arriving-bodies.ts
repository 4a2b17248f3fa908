/** A body that brings less than this within a grace period is slow: 8 KiB/s. */
const PROGRESS_BYTES = 16 * 1024;
const GRACE_MS = 2000;

/** A body that holds room while the rest of it is still to come. */
export interface ArrivingBody {
  /** Bytes since it was last seen to make progress, and when that was, epoch ms. */
  recentBytes: number;
  progressAt: number;
}

/**
 * The bodies that hold room and are not complete, so that those that stopped can be told from those that are merely large.
 * What counts is recent progress: one that sent nearly everything at once and then stops is slow too.
 */
export class ArrivingBodies<Body extends ArrivingBody> {
  /** In the order of their last progress, the oldest first. */
  readonly #bodies = new Set<Body>();

  received(body: Body, bytes: number, now: number): void {
    body.recentBytes += bytes;
    if (this.#bodies.has(body) && body.recentBytes < PROGRESS_BYTES) return;
    body.recentBytes = 0;
    body.progressAt = now;
    this.#bodies.delete(body);
    this.#bodies.add(body);
  }

  remove(body: Body): void {
    this.#bodies.delete(body);
  }

  /** The slow ones, the slowest first. They may be removed on the way. */
  *slow(now: number): Generator<Body> {
    for (const body of this.#bodies) {
      // In either direction: a clock that was set back must not protect bodies for as long.
      if (Math.abs(now - body.progressAt) < GRACE_MS) return;
      yield body;
    }
  }
}
