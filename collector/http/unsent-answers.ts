import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress, networkOf } from '../ingest/client-address.ts';
import { HttpError } from './errors.ts';

/** Of all clients; one of them may hold at most half of what the others leave. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;
/** Smaller answers fit into what the system buffers for a connection, and are not counted. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** An answer has to be taken within this time and what its bytes take at the least rate. */
const GRACE_MS = 30_000;
/** A phone line of the nineties; 1 MiB within 16 s. */
export const MIN_BYTES_PER_S = 64 * 1024;
const RETRY_SECONDS = 10;

export interface UnsentLimits {
  readonly maxBytes?: number;
  readonly graceMs?: number;
}

/**
 * What answers hold in memory until their clients take them: Node keeps a whole answer until its last byte is with the
 * system. Counted by token; by address (of IPv6 by /48) for routes without one and for ingest keys, which every browser has.
 */
export class UnsentAnswers {
  readonly #maxBytes: number;
  readonly #graceMs: number;
  readonly #heldBy = new Map<string, number>();
  /** Bytes of all clients. */
  held = 0;
  /** Requests that were told to come back, since the start. */
  refused = 0;
  /** Connections closed because an answer was taken too slowly, since the start. */
  slow = 0;

  constructor({ maxBytes = MAX_UNSENT_BYTES, graceMs = GRACE_MS }: UnsentLimits = {}) {
    this.#maxBytes = maxBytes;
    this.#graceMs = graceMs;
  }

  /** Before an answer is computed. Throws an HttpError while the client has more to take than it may have. */
  admit(request: FastifyRequest): void {
    const own = this.#heldBy.get(holderOf(request)) ?? 0;
    if (own > 0 && own >= this.#share(own)) throw this.#refusal();
  }

  /**
   * Counts an answer until its last byte is taken or its connection closes. Throws an HttpError where there is no room for
   * it. An answer alone may exceed the share of its client, or large ones could never be had.
   */
  hold(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const { raw } = reply;
    if (bytes < MIN_COUNTED_BYTES || raw.destroyed) return;
    const holder = holderOf(request);
    const own = this.#heldBy.get(holder) ?? 0;
    const fits = own === 0 ? this.held === 0 || this.held + bytes <= this.#maxBytes : own + bytes <= this.#share(own);
    if (!fits) throw this.#refusal();
    this.#add(holder, bytes);
    const tooSlow = setTimeout(
      () => {
        this.slow++;
        request.raw.socket.destroy();
      },
      this.#graceMs + (bytes / MIN_BYTES_PER_S) * 1000,
    );
    raw.once('close', () => {
      clearTimeout(tooSlow);
      this.#add(holder, -bytes);
    });
  }

  /** Half of what others leave. */
  #share(own: number): number {
    return (this.#maxBytes - (this.held - own)) / 2;
  }

  #add(holder: string, bytes: number): void {
    this.held += bytes;
    const own = (this.#heldBy.get(holder) ?? 0) + bytes;
    if (own > 0) this.#heldBy.set(holder, own);
    else this.#heldBy.delete(holder);
  }

  #refusal(): HttpError {
    this.refused++;
    return new HttpError(
      'rate_limited',
      'too much of what was answered before has not been read yet',
      'Read the answers that are on their way, or close their connections, and ask again after Retry-After.',
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

function holderOf({ token, ip }: FastifyRequest): string {
  return token === null || token.role === 'ingest' ? networkOf(clientAddress(ip)) : token.id;
}

/** Counts each answer that is sent whole. Those that are streamed count what they hold themselves. */
export function boundUnsentAnswers(app: FastifyInstance, unsent: UnsentAnswers): void {
  // A callback, not a promise: every batch passes here.
  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      if (typeof payload === 'string') unsent.hold(request, reply, Buffer.byteLength(payload));
      else if (payload instanceof Uint8Array) unsent.hold(request, reply, payload.length);
      done(null, payload);
    } catch (error) {
      done(error as HttpError);
    }
  });
}
