import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toNetwork } from '../../ingest/admission/client-address.ts';
import { HttpError } from './errors.ts';

/** Total of all clients; each may hold at most half of what the others leave. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;
/** Smaller responses fit into the kernel's buffer for a connection and are not counted. */
const MIN_COUNTED_BYTES = 16 * 1024;
/** Time that a client has to read a response, in addition to its size divided by the minimum rate, ms. */
const GRACE_MS = 30_000;
/** 1 MiB in 16 s. */
export const MIN_BYTES_PER_S = 64 * 1024;
const RETRY_SECONDS = 10;

export interface UnsentLimits {
  readonly maxBytes?: number;
  readonly graceMs?: number;
}

/**
 * Memory held by responses until their clients have read them: Node keeps a whole response until its last byte is with
 * the kernel. Counted by token; by address (by /48 for IPv6) for routes without one and ingest keys, which are shared.
 */
export class UnsentAnswers {
  readonly #maxBytes: number;
  readonly #graceMs: number;
  readonly #heldBy = new Map<string, number>();
  /** Bytes of all clients. */
  held = 0;
  /** Requests told to retry later, since the start. */
  refused = 0;
  /** Connections closed because their client read a response too slowly, since the start. */
  slow = 0;

  constructor({ maxBytes = MAX_UNSENT_BYTES, graceMs = GRACE_MS }: UnsentLimits = {}) {
    this.#maxBytes = maxBytes;
    this.#graceMs = graceMs;
  }

  /** Before a response is computed. Throws an HttpError while the client has too much left to read. */
  admit(request: FastifyRequest): void {
    const own = this.#heldBy.get(holderOf(request)) ?? 0;
    if (own > 0 && own >= this.#share(own)) throw this.#refusal();
  }

  /**
   * Counts a response until its last byte is sent or its connection closes. Throws an HttpError if it doesn't fit. A
   * client's only response may exceed its share, or large ones could never be delivered.
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

  /** Half of what the others leave. */
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
      'too much of the earlier answers is still unread',
      'Read the answers in progress or close their connections, and try again after Retry-After.',
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
}

function holderOf({ token, ip }: FastifyRequest): string {
  return token === null || token.role === 'ingest' ? toNetwork(ip) : token.id;
}

/** Counts every response that is sent whole; streamed ones count what they hold themselves. */
export function boundUnsentAnswers(app: FastifyInstance, unsent: UnsentAnswers): void {
  // A callback, not a promise: every batch passes through here.
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
