import type { RefusalReason } from './admission.ts';
import { clientAddress, networkOf } from './client-address.ts';
import { type StorageQuota, StorageQuotas, type StorageShares } from './storage-quotas.ts';
import { TokenBucket } from './token-bucket.ts';

const MIB = 2 ** 20;

/** In bytes: bodies as sent and inflated, and other costs converted to bytes (costs.ts). */
export interface ClientLimits {
  readonly addressBytesPerSecond: number;
  readonly addressBurstBytes: number;
  /** An address may always send this much, however much of the key others have used. */
  readonly allowanceBytesPerSecond: number;
  readonly allowanceBurstBytes: number;
  /** For all addresses of one network, an IPv6 /48, together. */
  readonly networkBytesPerSecond: number;
  readonly networkBurstBytes: number;
  readonly networkAllowanceBytesPerSecond: number;
  readonly networkAllowanceBurstBytes: number;
  /** For all addresses with one key, in excess of their allowances. */
  readonly keyBytesPerSecond: number;
  readonly keyBurstBytes: number;
  readonly storage: StorageShares;
}

/**
 * All managed browsers share a key, so a limit by key alone would let one browser silence all others. Addresses are limited
 * instead, and the key only in excess of each address's own allowance.
 *
 * An address is often a whole office. A person working all day produces 1,500 samples of 400 bytes each (STORED_ROW_COST);
 * 4 MiB a second is the peak of 30,000 such people, and a tenth of the 40 MiB that one core stores. The burst is what 55
 * browsers have after an afternoon without the collector, 3,000 samples each; others are asked to wait for seconds and keep
 * their samples. The allowance is the peak of 1,000 people; anything in excess may take less than half of one core.
 *
 * An IPv6 address is a /64 here, and rented servers often come with a /48, which has 65,536 of them. So a /48 is limited to
 * twice the rate of an address and eight allowances: an organisation of 100,000 people in one /48 stays below that.
 */
export const CLIENT_LIMITS: ClientLimits = {
  addressBytesPerSecond: 4 * MIB,
  addressBurstBytes: 64 * MIB,
  allowanceBytesPerSecond: MIB / 8,
  allowanceBurstBytes: 8 * MIB,
  networkBytesPerSecond: 8 * MIB,
  networkBurstBytes: 128 * MIB,
  networkAllowanceBytesPerSecond: MIB,
  networkAllowanceBurstBytes: 64 * MIB,
  keyBytesPerSecond: 16 * MIB,
  keyBurstBytes: 256 * MIB,
  // A day of 300 browsers is 60 MB.
  storage: {
    network: 1 / 8,
    key: 1 / 4,
    leastBytes: 64 * MIB,
    reserve: { leastBytes: 64 * MIB, share: 1 / 50, mostShare: 1 / 4 },
  },
};

/** Remembered addresses, and as many networks; about 500 bytes each. */
const MAX_ADDRESSES = 20_000;
/** A network that recently stored no more than this may be forgotten if there are too many. */
const FORGETTABLE_BYTES = MIB;
/** Keys are created by admins; revoked ones are forgotten with the process. */
const MAX_KEYS = 10_000;

/** Remaining quota. In memory only: never logged, never stored. */
export interface Budget {
  readonly all: TokenBucket;
  readonly allowance: TokenBucket;
}

export interface ClientQuota extends Budget {
  readonly network: string;
}

/** Memory and queues are shared between networks: an IPv4 address or an IPv6 /48. */
export interface NetworkQuota extends Budget {
  /** Unique while the collector runs. */
  readonly number: number;
  /** Bytes in flight at the moment. */
  held: number;
  readonly stored: StorageQuota;
}

/** Usage of one key since the collector started. */
export interface KeyQuota {
  readonly id: string;
  readonly beyond: TokenBucket;
  bytes: number;
  readonly stored: StorageQuota;
  readonly refused: Record<RefusalReason, number>;
}

export interface ClientQuotas {
  client(ip: string, now: number): ClientQuota;
  network(client: ClientQuota, now: number): NetworkQuota;
  key(id: string, now: number): KeyQuota;
  keys(): readonly KeyQuota[];
  readonly storage: StorageQuotas;
}

const noClient = () => false;

export function createClientQuotas(limits = CLIENT_LIMITS, maxAddresses = MAX_ADDRESSES): ClientQuotas {
  const clients = new Map<string, ClientQuota>();
  const networks = new Map<string, NetworkQuota>();
  const keys = new Map<string, KeyQuota>();
  const storage = new StorageQuotas(limits.storage);
  let numberOfNetworks = 0;

  /**
   * Forgets quotas with nothing to remember; if these are not enough, all quotas of clients without bodies in flight.
   */
  function evict<Quota extends Budget>(
    known: Map<string, Quota>,
    now: number,
    holds: (quota: Quota) => boolean,
    hasStored: (quota: Quota) => boolean,
  ): void {
    if (known.size < maxAddresses) return;
    for (const [address, quota] of known) {
      if (holds(quota) || hasStored(quota)) continue;
      if (quota.all.isFull(now) && quota.allowance.isFull(now)) known.delete(address);
    }
    if (known.size < maxAddresses) return;
    for (const [address, quota] of known) if (!holds(quota)) known.delete(address);
  }

  return {
    client(ip, now) {
      const address = clientAddress(ip);
      const known = clients.get(address);
      if (known !== undefined) return known;
      evict(clients, now, noClient, noClient);
      const client = {
        network: networkOf(address),
        all: new TokenBucket({ rate: limits.addressBytesPerSecond, burst: limits.addressBurstBytes }, now),
        allowance: new TokenBucket({ rate: limits.allowanceBytesPerSecond, burst: limits.allowanceBurstBytes }, now),
      };
      clients.set(address, client);
      return client;
    },
    network({ network: address }, now) {
      const known = networks.get(address);
      if (known !== undefined) return known;
      evict(
        networks,
        now,
        ({ held }) => held > 0,
        ({ stored }) => stored.all.used(now) > FORGETTABLE_BYTES,
      );
      const network = {
        number: ++numberOfNetworks,
        held: 0,
        stored: storage.ofNetwork(now),
        all: new TokenBucket({ rate: limits.networkBytesPerSecond, burst: limits.networkBurstBytes }, now),
        allowance: new TokenBucket(
          { rate: limits.networkAllowanceBytesPerSecond, burst: limits.networkAllowanceBurstBytes },
          now,
        ),
      };
      networks.set(address, network);
      return network;
    },
    key(id, now) {
      const known = keys.get(id);
      if (known !== undefined) return known;
      if (keys.size >= MAX_KEYS) keys.clear();
      const key = {
        id,
        beyond: new TokenBucket({ rate: limits.keyBytesPerSecond, burst: limits.keyBurstBytes }, now),
        bytes: 0,
        stored: storage.ofKey(now),
        refused: { busy: 0, rate_limited: 0, quota_exceeded: 0 },
      };
      keys.set(id, key);
      return key;
    },
    keys: () => [...keys.values()],
    storage,
  };
}
