import type { FairQueue } from '../../lib/fair-queue.ts';
import { BodyMemory, type HeldBody } from './body-memory.ts';
import type { ClientQuota, ClientQuotas, KeyQuota, NetworkQuota } from './client-quotas.ts';
import { CHANGE_COST, REFUSED_BODY_COST, REQUEST_COST } from './costs.ts';
import { ALLOWED_PART, type StorageQuota } from './storage-quotas.ts';
import type { TokenBucket } from './token-bucket.ts';

/** Share of an address's burst for requests without a valid token. */
const UNAUTHENTICATED_SHARE = 1 / 2;
/** Each chunk of a body is an object: a megabyte that arrives byte by byte takes far more than a megabyte. */
const CHUNK_BYTES = 256;
/**
 * How far an admitted body may overdraw its buckets: at the rate of an address, about as much as one address can have in
 * flight. Legitimate bodies that were admitted concurrently are all read to their end.
 */
const OVERDRAFT_SECONDS = 5;
const BUSY_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** The longest wait that extensions honour; each attempt of thousands of browsers costs as much as its body. */
const MAX_QUOTA_RETRY_SECONDS = 3600;

/**
 * `busy`: no memory for all concurrent bodies. `rate_limited`: this client or its key has sent too much at once.
 * `quota_exceeded`: its network or key has used up its share of the disk for the day.
 */
export type RefusalReason = 'busy' | 'rate_limited' | 'quota_exceeded';

/** The request is refused for now and may be repeated later. */
export class AdmissionRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number;
  /** Whether the client should keep a batch. */
  readonly isBatch: boolean;
  constructor(reason: RefusalReason, retryAfterSeconds: number, isBatch: boolean) {
    super(reason);
    this.name = 'AdmissionRefusal';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isBatch = isBatch;
  }
}

/** Admission control: refuses requests of clients that exceed their rates or quotas, before their bodies are read. */
export class AdmissionControl {
  readonly #quotas: ClientQuotas;
  readonly clock: () => number;
  readonly memory: BodyMemory;

  constructor(quotas: ClientQuotas, clock: () => number, maxBytesInFlight?: number) {
    this.#quotas = quotas;
    this.clock = clock;
    this.memory = new BodyMemory(maxBytesInFlight);
  }

  /** Throws an AdmissionRefusal before any of the body is read. */
  admitBatch(keyId: string, ip: string): AdmittedRequest {
    const admitted = this.#admit(keyId, ip, true);
    admitted.checkRate();
    admitted.checkQuota();
    admitted.consume(REQUEST_COST);
    return admitted;
  }

  /** For bodies other than batches: only memory is limited. Large ones are from admins, whom no flood of batches may keep out. */
  admitOther(keyId: string, ip: string): AdmittedRequest {
    return this.#admit(keyId, ip, false);
  }

  /** For a request without a body. Throws an AdmissionRefusal. */
  limitRequest(keyId: string, ip: string): void {
    const admitted = this.#admit(keyId, ip, false);
    admitted.checkRate();
    admitted.consume(REQUEST_COST);
  }

  /**
   * For a request without a valid token, and for each sign-in. Throws an AdmissionRefusal once its address has used up half
   * of its burst: the other half remains for browsers behind the same address that have a key.
   */
  limitUnauthenticated(ip: string, cost = REQUEST_COST): void {
    const now = this.clock();
    const client = this.#quotas.client(ip, now);
    const quotas = [client, this.#quotas.network(client, now)];
    if (quotas.some(({ all }) => all.usedPart(now) >= UNAUTHENTICATED_SHARE))
      throw new AdmissionRefusal('rate_limited', 1, false);
    for (const { all } of quotas) all.take(cost, now);
  }

  /** For an admin's change. By token: other traffic from their address doesn't keep admins out. Throws an AdmissionRefusal. */
  limitChange(keyId: string): void {
    const now = this.clock();
    const { beyond, refused } = this.#quotas.key(keyId, now);
    if (beyond.level(now) <= 0) {
      refused.rate_limited++;
      throw new AdmissionRefusal('rate_limited', 1, false);
    }
    beyond.take(CHANGE_COST, now);
  }

  #admit(keyId: string, ip: string, isBatch: boolean): AdmittedRequest {
    const now = this.clock();
    const client = this.#quotas.client(ip, now);
    return new AdmittedRequest(this, client, this.#quotas.network(client, now), this.#quotas.key(keyId, now), isBatch);
  }
}

/** The memory that one request holds, and the quotas that it uses. A class, since there is one for each batch. */
export class AdmittedRequest implements HeldBody {
  readonly #control: AdmissionControl;
  readonly #client: ClientQuota;
  readonly network: NetworkQuota;
  readonly #key: KeyQuota;
  readonly isBatch: boolean;
  #held = 0;
  #bytesRead = 0;
  #cancel: ((refusal: AdmissionRefusal) => void) | null = null;
  recentBytes = 0;
  progressAt = 0;

  constructor(control: AdmissionControl, client: ClientQuota, network: NetworkQuota, key: KeyQuota, isBatch: boolean) {
    this.#control = control;
    this.#client = client;
    this.network = network;
    this.#key = key;
    this.isBatch = isBatch;
  }

  /** Throws an AdmissionRefusal if the client, its network, or the key beyond their allowances is over its rate. */
  checkRate(overdraftSeconds = 0): void {
    const now = this.#control.clock();
    const own = Math.max(this.#client.all.secondsUntilOpen(now), this.network.all.secondsUntilOpen(now));
    const shared = this.#allowance(now) > 0 ? 0 : this.#key.beyond.secondsUntilOpen(now);
    const seconds = Math.max(own, shared);
    if (seconds > overdraftSeconds) throw this.#refusal('rate_limited', seconds);
  }

  /** Throws an AdmissionRefusal if the network or the key has used up its storage quota for the day. */
  checkQuota(): void {
    const seconds = this.#quotaSeconds(({ all }) => all);
    if (seconds > 0) throw this.#refusal('quota_exceeded', seconds);
  }

  /** Whether a browser known for less than a day may store anything: only the batch says which browser it is. */
  get acceptsRecentBrowsers(): boolean {
    return this.#quotaSeconds(({ recent }) => recent) === 0;
  }

  /** For a batch of a recent browser when these have no quota left. It was read nevertheless. */
  refuseRecentBrowser(): AdmissionRefusal {
    this.consume(REFUSED_BODY_COST);
    return this.#refusal(
      'quota_exceeded',
      this.#quotaSeconds(({ recent }) => recent),
    );
  }

  /** @param bytes in the store */
  stored(bytes: number, recentBrowser: boolean): void {
    this.#store(bytes, ({ all }) => all);
    if (recentBrowser) this.#store(bytes, ({ recent }) => recent);
  }

  #quotaSeconds(bucketOf: (quota: StorageQuota) => TokenBucket): number {
    const now = this.#control.clock();
    const own = bucketOf(this.network.stored);
    const shared = own.usedPart(now) < ALLOWED_PART ? 0 : bucketOf(this.#key.stored).secondsUntilOpen(now);
    return Math.max(own.secondsUntilOpen(now), shared);
  }

  #store(bytes: number, bucketOf: (quota: StorageQuota) => TokenBucket): void {
    const now = this.#control.clock();
    const own = bucketOf(this.network.stored);
    if (own.usedPart(now) >= ALLOWED_PART) bucketOf(this.#key.stored).take(bytes, now);
    own.take(bytes, now);
  }

  /** @param cancel stops the body while it arrives, in favour of another; called at most once, and not after `arrived` */
  arriving(cancel: (refusal: AdmissionRefusal) => void): void {
    this.#cancel = cancel;
  }

  /** Reserves memory for a received chunk of the body, which counts towards rates only for batches. Throws an AdmissionRefusal. */
  receive(bytes: number): void {
    if (this.isBatch) this.checkRate(OVERDRAFT_SECONDS);
    this.#control.memory.received(this, bytes, this.#control.clock());
    this.hold(bytes + CHUNK_BYTES);
    if (this.isBatch) this.read(bytes);
  }

  /** The body is complete or abandoned. */
  arrived(): void {
    this.#cancel = null;
    this.#control.memory.arrived(this);
  }

  displace(): void {
    const cancel = this.#cancel;
    this.arrived();
    cancel?.(this.#busy());
  }

  /** Reserves memory. Throws an AdmissionRefusal. */
  hold(bytes: number): void {
    const { memory, clock } = this.#control;
    if (!memory.reserve(this, bytes, clock())) throw this.#busy();
    this.#held += bytes;
  }

  /** Counts bytes of a batch, as sent or inflated. */
  read(bytes: number): void {
    this.#bytesRead += bytes;
    this.#key.bytes += bytes;
    this.consume(bytes);
  }

  /**
   * Runs work of limited concurrency, round-robin between networks. Throws an AdmissionRefusal if too many jobs of this
   * network are waiting.
   *
   * @param maxWaiting of one network
   */
  enqueue<T>(queue: FairQueue<NetworkQuota>, maxWaiting: number, work: () => Promise<T>): Promise<T> {
    if (queue.waitingOf(this.network) >= maxWaiting) throw this.#busy();
    return queue.run(this.network, async () => {
      // Concurrent requests may have used up everything while this one waited.
      this.checkRate();
      return work();
    });
  }

  /** For a batch that has been read: as much as its bytes have not paid for yet. */
  consumeBeyondBytes(cost: number): void {
    this.consume(Math.max(0, cost - this.#bytesRead));
  }

  /** First uses the allowance of the address, within that of its network, then what all addresses with this key share. */
  consume(cost: number): void {
    const now = this.#control.clock();
    const allowed = Math.min(cost, Math.max(0, this.#allowance(now)));
    for (const { all, allowance } of [this.#client, this.network]) {
      all.take(cost, now);
      allowance.take(allowed, now);
    }
    this.#key.beyond.take(cost - allowed, now);
  }

  /** Frees the memory; may be called more than once. */
  release(): void {
    this.arrived();
    this.#control.memory.free(this.network, this.#held);
    this.#held = 0;
  }

  #allowance(now: number): number {
    return Math.min(this.#client.allowance.level(now), this.network.allowance.level(now));
  }

  #busy(): AdmissionRefusal {
    return this.#refusal('busy', BUSY_RETRY_SECONDS);
  }

  /** Also counts it. */
  #refusal(reason: RefusalReason, seconds: number): AdmissionRefusal {
    this.#key.refused[reason]++;
    const most = reason === 'quota_exceeded' ? MAX_QUOTA_RETRY_SECONDS : MAX_RETRY_SECONDS;
    const retryAfter = Math.min(most, Math.max(1, Math.ceil(seconds)));
    return new AdmissionRefusal(reason, retryAfter, this.isBatch);
  }
}
