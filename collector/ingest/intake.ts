import type { ClientAccount, ClientAccounts, KeyAccount } from './client-accounts.ts';
import { IntakeRefusal, type RefusalReason } from './intake-refusal.ts';

/**
 * Bytes of all bodies between their arrival and their answer, as sent and inflated. The collector holds each of them up to
 * three times for a moment (pieces and whole, event loop and writer), which leaves it far below 1 GiB.
 */
const MAX_BYTES_IN_FLIGHT = 64 * 2 ** 20;
/** What a request costs beside its bytes. */
const REQUEST_COST = 2048;
/** What takes a thread to parse costs about eight times what is read in passing. */
export const PARSED_COST_FACTOR = 8;
/** Of a row that was judged in vain. */
export const REJECTED_ROW_COST = 256;
/** Of a body that was read in vain: no browser sends one twice. */
export const REFUSED_BODY_COST = 64 * 1024;
const BUSY_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;

/** Decides whether a body is taken at all, and knows what all of them hold. */
export class IntakeGate {
  readonly #accounts: ClientAccounts;
  readonly #maxBytes: number;
  readonly clock: () => number;
  /** Bytes held at the moment, of all clients. */
  held = 0;

  constructor(accounts: ClientAccounts, clock: () => number, maxBytes = MAX_BYTES_IN_FLIGHT) {
    this.#accounts = accounts;
    this.#maxBytes = maxBytes;
    this.clock = clock;
  }

  /** For a batch. Throws an IntakeRefusal, before anything of its body is read. */
  admitBatch(keyId: string, ip: string): Intake {
    const intake = this.admitOther(keyId, ip);
    intake.checkRate();
    intake.charge(REQUEST_COST);
    return intake;
  }

  /** For any other body: room only. Large ones are for admins, and no flood of batches may keep those out. */
  admitOther(keyId: string, ip: string): Intake {
    const now = this.clock();
    return new Intake(this, this.#accounts.client(ip, now), this.#accounts.key(keyId, now));
  }

  /** No more than half of what stays free: however many take all they can, a newcomer finds room. */
  hasRoom(client: ClientAccount, bytes: number): boolean {
    return client.held + bytes <= (this.#maxBytes - this.held - bytes) / 2;
  }
}

/** What one request has of the collector's room, and pays for. A class, since there is one for each batch. */
export class Intake {
  readonly #gate: IntakeGate;
  readonly client: ClientAccount;
  readonly #key: KeyAccount;
  #held = 0;

  constructor(gate: IntakeGate, client: ClientAccount, key: KeyAccount) {
    this.#gate = gate;
    this.client = client;
    this.#key = key;
  }

  /** Throws an IntakeRefusal where the client, or the key beyond the client's allowance, has used up what it may cost. */
  checkRate(): void {
    const now = this.#gate.clock();
    const { all, allowance } = this.client;
    const own = all.secondsUntilOpen(now);
    const shared = allowance.level(now) > 0 ? 0 : this.#key.beyond.secondsUntilOpen(now);
    if (own > 0 || shared > 0) refuse(this.#key, 'rate_limited', Math.max(own, shared));
  }

  /** Reserves room for bytes that are about to be held. Throws an IntakeRefusal. */
  hold(bytes: number): void {
    if (!this.#gate.hasRoom(this.client, bytes)) refuse(this.#key, 'busy', BUSY_RETRY_SECONDS);
    this.#held += bytes;
    this.client.held += bytes;
    this.#gate.held += bytes;
  }

  /** Counts bytes of a batch, as sent or inflated. */
  read(bytes: number): void {
    this.#key.bytes += bytes;
    this.charge(bytes);
  }

  /** Refuses on behalf of whoever has no room of another kind. */
  refuseBusy(): never {
    refuse(this.#key, 'busy', BUSY_RETRY_SECONDS);
  }

  /** The allowance of the address goes first, then what all addresses with this key share. */
  charge(cost: number): void {
    const now = this.#gate.clock();
    const { all, allowance } = this.client;
    all.take(cost, now);
    const allowed = Math.min(cost, Math.max(0, allowance.level(now)));
    allowance.take(allowed, now);
    this.#key.beyond.take(cost - allowed, now);
  }

  /** Gives the room back; may be called more than once. */
  release(): void {
    this.client.held -= this.#held;
    this.#gate.held -= this.#held;
    this.#held = 0;
  }
}

function refuse(key: KeyAccount, reason: RefusalReason, seconds: number): never {
  key.refused[reason]++;
  throw new IntakeRefusal(reason, Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds))));
}
