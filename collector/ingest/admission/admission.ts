import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BodyMemory } from './body-memory.ts';
import { toNetwork } from './client-address.ts';
import { REQUEST_COST } from './costs.ts';
import type { Reserve } from './disk-reserve.ts';
import { type LimitPoints, SharedLimit, untilNext } from './shared-limit.ts';

const MIB = 2 ** 20;
const WINDOW_SECONDS = 10;
const DAY_SECONDS = 86_400;

export interface ClientLimits {
  /** Per WINDOW_SECONDS, in bytes: bodies as sent and inflated, rows and other costs converted to bytes (costs.ts). */
  readonly rate: LimitPoints;
  /** Stored per day, as shares of the free disk space; rates only limit how fast. */
  readonly stored: LimitPoints;
  /** The smallest daily quota of a network, bytes, and half of that of a key; neither exceeds half of the free space. */
  readonly leastStoredBytes: number;
  /** Changes to settings or tokens with one token, per WINDOW_SECONDS; each waits for the disk. */
  readonly changes: number;
  readonly reserve: Reserve;
}

/**
 * A network is often a whole office. A person working all day produces 1,500 samples of 400 bytes each (STORED_ROW_COST);
 * 4 MiB a second is the peak of 30,000 such people, and a tenth of the 40 MiB that one core stores. The allowance is the
 * peak of 1,000 people; anything in excess may take less than half of one core. A browser stores 100 to 150 KB a working
 * day, so 20,000 of them behind one address need 24 GB of free space.
 */
export const CLIENT_LIMITS: ClientLimits = {
  rate: {
    network: WINDOW_SECONDS * 4 * MIB,
    allowance: (WINDOW_SECONDS * MIB) / 8,
    key: WINDOW_SECONDS * 16 * MIB,
  },
  stored: { network: 1 / 8, allowance: 1 / 128, key: 1 / 4 },
  // A day of 300 browsers is 60 MB.
  leastStoredBytes: 64 * MIB,
  changes: 64,
  reserve: { leastBytes: 64 * MIB, share: 1 / 50, mostShare: 1 / 4 },
};

/** Before the free space is known, or where the engine can't report it. */
const UNLIMITED: LimitPoints = {
  network: Number.MAX_SAFE_INTEGER,
  allowance: Number.MAX_SAFE_INTEGER,
  key: Number.MAX_SAFE_INTEGER,
};
/** Upper bound of the smallest quotas, as a share of the free space. */
const MOST_OF_FREE = 1 / 2;

/** Requests of one network without a valid token, and how many of them may be attempts to sign in. */
const UNAUTHENTICATED_PER_WINDOW = 10_000;
const SIGN_INS_PER_WINDOW = 64;
/** Networks told apart; when there are more, their numbers are given again. */
const MAX_NETWORKS = 2 ** 15;
/** Each chunk of a body is an object: a megabyte that arrives byte by byte takes far more than a megabyte. */
const CHUNK_BYTES = 256;
const BUSY_RETRY_SECONDS = 5;
/** The longest wait that extensions honour; each attempt of thousands of browsers costs as much as its body. */
const MAX_RETRY_SECONDS = 3600;

/**
 * `busy`: no memory for all concurrent bodies. `rate_limited`: this network or its key has sent too much at once.
 * `quota_exceeded`: it has used up its share of the disk for the day.
 */
export type RefusalReason = 'busy' | 'rate_limited' | 'quota_exceeded';

/** The request is refused for now and may be repeated later. */
export class AdmissionRefusal extends Error {
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number;
  /** Whether the client should keep a batch. */
  readonly isBatch: boolean;
  constructor(reason: RefusalReason, seconds: number, isBatch: boolean) {
    super(reason);
    this.name = 'AdmissionRefusal';
    this.reason = reason;
    this.retryAfterSeconds = Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(seconds)));
    this.isBatch = isBatch;
  }
}

/** Bytes received with one key since the collector started, and its refusals by reason. */
export interface KeyUse {
  bytes: number;
  readonly refused: Record<RefusalReason, number>;
}

/**
 * Refuses requests of clients that exceed their rates or quotas, before their bodies are read. A client is its network: an
 * IPv4 address or an IPv6 /48. Networks are in memory only: never logged, never stored.
 */
export class AdmissionControl {
  readonly memory: BodyMemory;
  readonly keys = new Map<string, KeyUse>();
  readonly #limits: ClientLimits;
  readonly #rate: SharedLimit;
  readonly #stored = new SharedLimit(UNLIMITED, DAY_SECONDS);
  readonly #unauthenticated = perWindow(UNAUTHENTICATED_PER_WINDOW);
  readonly #signIns = perWindow(SIGN_INS_PER_WINDOW);
  readonly #changes: RateLimiterMemory;
  readonly #networks = new Map<string, number>();
  #refusals = 0;

  constructor(limits: ClientLimits = CLIENT_LIMITS, maxBytesInFlight?: number) {
    this.#limits = limits;
    this.#rate = new SharedLimit(limits.rate, WINDOW_SECONDS);
    this.#changes = perWindow(limits.changes);
    this.memory = new BodyMemory(maxBytesInFlight);
  }

  /** Throws an AdmissionRefusal before any of the body is read. */
  async admitBatch(key: string, ip: string): Promise<AdmittedRequest> {
    const admitted = new AdmittedRequest(this, this.#network(ip), key, true);
    await admitted.checkRate();
    const seconds = await this.#stored.secondsUntilOpen(admitted.network, key);
    if (seconds > 0) throw admitted.refusal('quota_exceeded', seconds);
    admitted.consume(REQUEST_COST);
    return admitted;
  }

  /** For bodies other than batches: only memory is limited. Large ones are from admins, whom no flood of batches may keep out. */
  admitOther(key: string, ip: string): AdmittedRequest {
    return new AdmittedRequest(this, this.#network(ip), key, false);
  }

  /** For a request without a body. Throws an AdmissionRefusal. */
  async limitRequest(key: string, ip: string): Promise<void> {
    const admitted = this.admitOther(key, ip);
    await admitted.checkRate();
    admitted.consume(REQUEST_COST);
  }

  /** For a request without a valid token. Throws an AdmissionRefusal. */
  limitUnauthenticated(ip: string): Promise<void> {
    return countOne(this.#unauthenticated, this.#network(ip));
  }

  /** Successful or not. Throws an AdmissionRefusal. */
  limitSignIn(ip: string): Promise<void> {
    return countOne(this.#signIns, this.#network(ip));
  }

  /** For an admin's change. By token: other traffic from their network doesn't keep admins out. Throws an AdmissionRefusal. */
  limitChange(key: string): Promise<void> {
    return countOne(this.#changes, key);
  }

  /** @param bytes free on the disk; nothing that is stored is limited before the first call */
  setFree(bytes: number): void {
    const { stored, leastStoredBytes } = this.#limits;
    const atLeast = (least: number, share: number) =>
      Math.floor(Math.max(Math.min(least, bytes * MOST_OF_FREE), bytes * share));
    this.#stored.setPoints({
      network: atLeast(leastStoredBytes, stored.network),
      allowance: Math.floor(bytes * stored.allowance),
      key: atLeast(2 * leastStoredBytes, stored.key),
    });
  }

  /** Used fraction of what a key may store a day beyond the allowances of networks. */
  quotaUse(key: string): Promise<number> {
    return this.#stored.keyUse(key);
  }

  keyUse(key: string): KeyUse {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    const use = { bytes: 0, refused: { busy: 0, rate_limited: 0, quota_exceeded: 0 } };
    this.keys.set(key, use);
    return use;
  }

  get rate(): SharedLimit {
    return this.#rate;
  }

  get stored(): SharedLimit {
    return this.#stored;
  }

  /** How much later than necessary the next refused client shall come, so that thousands don't all come at once. */
  nextSpread(): number {
    return this.#refusals++ % WINDOW_SECONDS;
  }

  #network(ip: string): number {
    const network = toNetwork(ip);
    const known = this.#networks.get(network);
    if (known !== undefined) return known;
    if (this.#networks.size >= MAX_NETWORKS) this.#networks.clear();
    const number = this.#networks.size + 1;
    this.#networks.set(network, number);
    return number;
  }
}

/** The memory that one request holds, and the limits that it uses. */
export class AdmittedRequest {
  readonly #control: AdmissionControl;
  /** Unique while no more than MAX_NETWORKS are known. */
  readonly network: number;
  readonly #key: string;
  readonly isBatch: boolean;
  #held = 0;
  #bytesRead = 0;

  constructor(control: AdmissionControl, network: number, key: string, isBatch: boolean) {
    this.#control = control;
    this.network = network;
    this.#key = key;
    this.isBatch = isBatch;
  }

  /** Throws an AdmissionRefusal if the network, or the key beyond the allowances, is over its rate. */
  async checkRate(): Promise<void> {
    const seconds = await this.#control.rate.secondsUntilOpen(this.network, this.#key);
    if (seconds > 0) throw this.refusal('rate_limited', seconds + this.#control.nextSpread());
  }

  /** Reserves memory for a received chunk of the body, which counts towards rates only for batches. Throws an AdmissionRefusal. */
  receive(bytes: number): void {
    this.hold(bytes + CHUNK_BYTES);
    if (this.isBatch) this.read(bytes);
  }

  /** Reserves memory. Throws an AdmissionRefusal. */
  hold(bytes: number): void {
    if (!this.#control.memory.reserve(this.network, bytes)) throw this.busy();
    this.#held += bytes;
  }

  /** Counts bytes of a batch, as sent or inflated. */
  read(bytes: number): void {
    this.#bytesRead += bytes;
    this.#control.keyUse(this.#key).bytes += bytes;
    this.consume(bytes);
  }

  /** For a batch that has been read: as much as its bytes have not paid for yet. */
  consumeBeyondBytes(cost: number): void {
    this.consume(Math.max(0, cost - this.#bytesRead));
  }

  consume(cost: number): void {
    void this.#control.rate.take(cost, this.network, this.#key);
  }

  /** @param bytes in the store */
  stored(bytes: number): void {
    void this.#control.stored.take(bytes, this.network, this.#key);
  }

  /** Frees the memory; may be called more than once. */
  release(): void {
    this.#control.memory.free(this.network, this.#held);
    this.#held = 0;
  }

  busy(): AdmissionRefusal {
    return this.refusal('busy', BUSY_RETRY_SECONDS + this.#control.nextSpread());
  }

  /** Also counts it. */
  refusal(reason: RefusalReason, seconds: number): AdmissionRefusal {
    this.#control.keyUse(this.#key).refused[reason]++;
    return new AdmissionRefusal(reason, seconds, this.isBatch);
  }
}

function perWindow(points: number): RateLimiterMemory {
  return new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
}

async function countOne(limiter: RateLimiterMemory, id: number | string): Promise<void> {
  await limiter.consume(id).catch((refused: unknown) => {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new AdmissionRefusal('rate_limited', untilNext(limiter, refused), false);
  });
}
