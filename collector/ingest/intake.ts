import type { FairQueue } from '../lib/fair-queue.ts';
import { ArrivingBodies, type ArrivingBody } from './arriving-bodies.ts';
import type { ClientAccount, ClientAccounts, KeyAccount, NetworkAccount } from './client-accounts.ts';
import { IntakeRefusal, type RefusalReason } from './intake-refusal.ts';
import { ALLOWED_PART, type StorageAccount } from './storage-quotas.ts';
import type { TokenBucket } from './token-bucket.ts';

/**
 * Bytes of all bodies between their arrival and their answer, as sent and inflated. The collector holds each of them up to
 * three times for a moment (pieces and whole, event loop and writer), which leaves it far below 1 GiB.
 */
const MAX_BYTES_IN_FLIGHT = 64 * 2 ** 20;
/** What a request costs beside its bytes. */
const REQUEST_COST = 2048;
/** What takes a thread to parse costs about eight times what is read in passing. */
export const PARSED_COST_FACTOR = 8;
/**
 * Of a row that is stored, its bytes included. A browser's takes some 100 bytes as sent and inflated, and as many on the disk
 * until its day is over; one that is written shorter takes no less there, in a chunk with those of others.
 */
export const STORED_ROW_COST = 400;
/**
 * Of a batch that is stored, however few rows it has: its id and its browser's row are somewhere in their tables, and each
 * page that changes is written whole. What 20,000 browsers behind one address send, a batch a minute each, stays within
 * the rate of an address (client-accounts.ts).
 */
export const BATCH_COST = 8 * 1024;
/** Of one whose browser is new: two pages of 16 KiB that nobody else writes to at the same time. */
export const NEW_BROWSER_COST = 32 * 1024;
/** Of a sign-in, right or wrong: 64 at once, then 8 a second of one address. */
export const SIGN_IN_COST = 512 * 1024;
/** Of a change to settings or tokens, which waits for the disk: 64 at once, then 4 a second with one token. */
const CHANGE_COST = 4 * 2 ** 20;
/** Of what an address may send at once, what requests without a valid token may use up. */
const STRANGERS_PART = 1 / 2;
/** Of a row that was judged in vain. */
export const REJECTED_ROW_COST = 256;
/** Of a body that was read in vain: no browser sends one twice. */
export const REFUSED_BODY_COST = 64 * 1024;
/** Each piece of a body is an object of its own: a megabyte that comes byte by byte takes far more than a megabyte. */
const PIECE_BYTES = 256;
/** A network with no more than this in flight is one of many, and may displace slow bodies of anybody. */
const NEWCOMER_BYTES = 2 * 2 ** 20;
/**
 * How far a body that was let in may overdraw what pays for it: at the rate of an address, about what one address can have
 * in flight. Honest bodies that were let in side by side are all read to their end.
 */
const OVERDRAFT_SECONDS = 5;
const BUSY_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** As long as an extension waits when it is told to; each try of thousands of browsers costs what it sends. */
const MAX_QUOTA_RETRY_SECONDS = 3600;

/** Decides whether a body is taken at all, and knows what all of them hold. */
export class IntakeGate {
  readonly #accounts: ClientAccounts;
  readonly #maxBytes: number;
  readonly clock: () => number;
  /** Bytes held at the moment, of all clients. */
  held = 0;
  readonly arriving = new ArrivingBodies<Intake>();

  constructor(accounts: ClientAccounts, clock: () => number, maxBytes = MAX_BYTES_IN_FLIGHT) {
    this.#accounts = accounts;
    this.#maxBytes = maxBytes;
    this.clock = clock;
  }

  /** For a batch. Throws an IntakeRefusal, before anything of its body is read. */
  admitBatch(keyId: string, ip: string): Intake {
    const intake = this.#intake(keyId, ip, true);
    intake.checkRate();
    intake.checkQuota();
    intake.charge(REQUEST_COST);
    return intake;
  }

  /** For any other body: room only. Large ones are for admins, and no flood of batches may keep those out. */
  admitOther(keyId: string, ip: string): Intake {
    return this.#intake(keyId, ip, false);
  }

  /** For a request without a body. Throws an IntakeRefusal. */
  chargeRequest(keyId: string, ip: string): void {
    const intake = this.#intake(keyId, ip, false);
    intake.checkRate();
    intake.charge(REQUEST_COST);
  }

  /**
   * For a request that was not let in, and for each sign-in. Throws an IntakeRefusal once its address has used up half of
   * what it may send: the other half stays for the browsers behind the same address that have a key.
   */
  chargeStranger(ip: string, cost = REQUEST_COST): void {
    const now = this.clock();
    const client = this.#accounts.client(ip, now);
    const accounts = [client, this.#accounts.network(client, now)];
    if (accounts.some(({ all }) => all.usedPart(now) >= STRANGERS_PART))
      throw new IntakeRefusal('rate_limited', 1, false);
    for (const { all } of accounts) all.take(cost, now);
  }

  /**
   * For a change that an admin asks for, by token: what their address sends does not keep admins out. Throws an IntakeRefusal.
   */
  chargeChange(keyId: string): void {
    const now = this.clock();
    const { beyond, refused } = this.#accounts.key(keyId, now);
    if (beyond.level(now) <= 0) {
      refused.rate_limited++;
      throw new IntakeRefusal('rate_limited', 1, false);
    }
    beyond.take(CHANGE_COST, now);
  }

  #intake(keyId: string, ip: string, isBatch: boolean): Intake {
    const now = this.clock();
    const client = this.#accounts.client(ip, now);
    return new Intake(this, client, this.#accounts.network(client, now), this.#accounts.key(keyId, now), isBatch);
  }

  /** Whether there is room, if need be after slow bodies have given way. */
  makeRoom(intake: Intake, bytes: number): boolean {
    const { network } = intake;
    if (this.#hasRoom(network, bytes)) return true;
    const isNewcomer = network.held + bytes <= NEWCOMER_BYTES;
    for (const slow of this.arriving.slow(this.clock())) {
      // Or whoever floods the collector would displace browsers on slow lines.
      if (slow === intake || !(isNewcomer || slow.network.held >= network.held)) continue;
      slow.displace();
      if (this.#hasRoom(network, bytes)) return true;
    }
    return false;
  }

  /** No more than half of what stays free, so that whoever takes all there is leaves room for others. */
  #hasRoom(network: NetworkAccount, bytes: number): boolean {
    return network.held + bytes <= (this.#maxBytes - this.held - bytes) / 2;
  }
}

/** What one request has of the collector's room, and pays for. A class, since there is one for each batch. */
export class Intake implements ArrivingBody {
  readonly #gate: IntakeGate;
  readonly #client: ClientAccount;
  readonly network: NetworkAccount;
  readonly #key: KeyAccount;
  readonly isBatch: boolean;
  #held = 0;
  #cut: ((refusal: IntakeRefusal) => void) | null = null;
  recentBytes = 0;
  progressAt = 0;

  constructor(gate: IntakeGate, client: ClientAccount, network: NetworkAccount, key: KeyAccount, isBatch: boolean) {
    this.#gate = gate;
    this.#client = client;
    this.network = network;
    this.#key = key;
    this.isBatch = isBatch;
  }

  /** Throws an IntakeRefusal where the client or its network, or the key beyond their allowances, has used up what it may cost. */
  checkRate(overdraftSeconds = 0): void {
    const now = this.#gate.clock();
    const own = Math.max(this.#client.all.secondsUntilOpen(now), this.network.all.secondsUntilOpen(now));
    const shared = this.#allowance(now) > 0 ? 0 : this.#key.beyond.secondsUntilOpen(now);
    const seconds = Math.max(own, shared);
    if (seconds > overdraftSeconds) throw this.#refusal('rate_limited', seconds);
  }

  /** Throws an IntakeRefusal where the network or the key has stored its share of the day. */
  checkQuota(): void {
    const seconds = this.#quotaSeconds(({ all }) => all);
    if (seconds > 0) throw this.#refusal('quota_exceeded', seconds);
  }

  /** Whether a browser known for less than a day may store anything: which one it is, only its batch says. */
  get takesNewcomers(): boolean {
    return this.#quotaSeconds(({ newcomers }) => newcomers) === 0;
  }

  /** The batch was a newcomer's, and those have no quota left. It was read all the same. */
  refuseNewcomer(): IntakeRefusal {
    this.charge(REFUSED_BODY_COST);
    return this.#refusal(
      'quota_exceeded',
      this.#quotaSeconds(({ newcomers }) => newcomers),
    );
  }

  /** @param bytes in the store */
  stored(bytes: number, newcomer: boolean): void {
    this.#store(bytes, ({ all }) => all);
    if (newcomer) this.#store(bytes, ({ newcomers }) => newcomers);
  }

  #quotaSeconds(bucketOf: (account: StorageAccount) => TokenBucket): number {
    const now = this.#gate.clock();
    const own = bucketOf(this.network.stored);
    const shared = own.usedPart(now) < ALLOWED_PART ? 0 : bucketOf(this.#key.stored).secondsUntilOpen(now);
    return Math.max(own.secondsUntilOpen(now), shared);
  }

  #store(bytes: number, bucketOf: (account: StorageAccount) => TokenBucket): void {
    const now = this.#gate.clock();
    const own = bucketOf(this.network.stored);
    if (own.usedPart(now) >= ALLOWED_PART) bucketOf(this.#key.stored).take(bytes, now);
    own.take(bytes, now);
  }

  /** @param cut stops the body while it arrives, in favour of another; called at most once, and not after `arrived` */
  arriving(cut: (refusal: IntakeRefusal) => void): void {
    this.#cut = cut;
  }

  /** Reserves room for a piece of the body that has come, which only batches pay for. Throws an IntakeRefusal. */
  receive(bytes: number): void {
    if (this.isBatch) this.checkRate(OVERDRAFT_SECONDS);
    this.#gate.arriving.received(this, bytes, this.#gate.clock());
    this.hold(bytes + PIECE_BYTES);
    if (this.isBatch) this.read(bytes);
  }

  /** The body is complete, or nobody waits for the rest of it. */
  arrived(): void {
    this.#cut = null;
    this.#gate.arriving.remove(this);
  }

  /** Stops the body while it arrives. */
  displace(): void {
    const cut = this.#cut;
    this.arrived();
    cut?.(this.#busy());
  }

  /** Reserves room for bytes that are about to be held. Throws an IntakeRefusal. */
  hold(bytes: number): void {
    if (!this.#gate.makeRoom(this, bytes)) throw this.#busy();
    this.#held += bytes;
    this.network.held += bytes;
    this.#gate.held += bytes;
  }

  /** Counts bytes of a batch, as sent or inflated. */
  read(bytes: number): void {
    this.#key.bytes += bytes;
    this.charge(bytes);
  }

  /**
   * Does work of which little can be done at once, networks in turns. Throws an IntakeRefusal where too much of this one's waits.
   *
   * @param maxWaiting of one network
   */
  inTurn<T>(queue: FairQueue<NetworkAccount>, maxWaiting: number, work: () => Promise<T>): Promise<T> {
    if (queue.waitingOf(this.network) >= maxWaiting) throw this.#busy();
    return queue.run(this.network, async () => {
      // Those that came together with it may have used up everything while it waited.
      this.checkRate();
      return work();
    });
  }

  /** The allowance of the address goes first, as far as its network has one, then what all addresses with this key share. */
  charge(cost: number): void {
    const now = this.#gate.clock();
    const allowed = Math.min(cost, Math.max(0, this.#allowance(now)));
    for (const { all, allowance } of [this.#client, this.network]) {
      all.take(cost, now);
      allowance.take(allowed, now);
    }
    this.#key.beyond.take(cost - allowed, now);
  }

  /** Gives the room back; may be called more than once. */
  release(): void {
    this.arrived();
    this.network.held -= this.#held;
    this.#gate.held -= this.#held;
    this.#held = 0;
  }

  #allowance(now: number): number {
    return Math.min(this.#client.allowance.level(now), this.network.allowance.level(now));
  }

  #busy(): IntakeRefusal {
    return this.#refusal('busy', BUSY_RETRY_SECONDS);
  }

  /** Counted when it is made. */
  #refusal(reason: RefusalReason, seconds: number): IntakeRefusal {
    this.#key.refused[reason]++;
    const most = reason === 'quota_exceeded' ? MAX_QUOTA_RETRY_SECONDS : MAX_RETRY_SECONDS;
    const retryAfter = Math.min(most, Math.max(1, Math.ceil(seconds)));
    return new IntakeRefusal(reason, retryAfter, this.isBatch);
  }
}
