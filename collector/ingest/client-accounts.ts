import { clientAddress, networkOf } from './client-address.ts';
import type { RefusalReason } from './intake-refusal.ts';
import { type StorageAccount, StorageQuotas, type StorageShares } from './storage-quotas.ts';
import { TokenBucket } from './token-bucket.ts';

const MIB = 2 ** 20;

/** Costs are counted in bytes: of a body as sent and inflated, and what else it took, put into bytes (intake.ts). */
export interface ClientLimits {
  readonly addressBytesPerSecond: number;
  readonly addressBurstBytes: number;
  /** What an address may always send, however much others have used up of the key. */
  readonly allowanceBytesPerSecond: number;
  readonly allowanceBurstBytes: number;
  /** Of all addresses of one network, the /48 of IPv6, together. */
  readonly networkBytesPerSecond: number;
  readonly networkBurstBytes: number;
  readonly networkAllowanceBytesPerSecond: number;
  readonly networkAllowanceBurstBytes: number;
  /** Of all addresses with one key, beyond their allowances. */
  readonly keyBytesPerSecond: number;
  readonly keyBurstBytes: number;
  readonly storage: StorageShares;
}

/**
 * A key is shared by every managed browser, so a limit by key alone would let one browser silence all others: what is
 * limited is the address, and the key only for what an address sends beyond an allowance of its own.
 *
 * An address is often a whole office. Somebody who works all day makes 1,500 samples, which cost 400 bytes each
 * (STORED_ROW_COST); 4 MiB a second are the peak of 30,000 such people, and a tenth of the 40 MiB that one core stores. The burst
 * is what 55 browsers have after an afternoon without the collector, each 3,000 samples; those that come later are told to
 * wait for seconds, and keep what they have. The allowance is the peak of 1,000 people; what is beyond it may take up less
 * than half of one core.
 *
 * Of IPv6 an address is a /64, and whoever rents a server is often given a /48, which has 65,536 of them. So a /48 has limits
 * too, of twice what one address may cost and eight allowances: an organisation of 100,000 people in one /48 stays below them.
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

/** Addresses that are remembered, and networks; about 500 bytes each. */
const MAX_ADDRESSES = 20_000;
/** A network that stored no more than this of late may be forgotten when there are too many. */
const FORGETTABLE_BYTES = MIB;
/** Keys are made by admins; those that were revoked are forgotten with the process. */
const MAX_KEYS = 10_000;

/** What may still be sent. In memory only: never logged, never stored. */
export interface Budget {
  readonly all: TokenBucket;
  readonly allowance: TokenBucket;
}

export interface ClientAccount extends Budget {
  readonly network: string;
}

/** Room and turns are shared out between networks: an IPv4 address, or a /48. */
export interface NetworkAccount extends Budget {
  /** No other network has the same while the collector runs. */
  readonly number: number;
  /** Bytes in flight at the moment. */
  held: number;
  readonly stored: StorageAccount;
}

/** What was sent with one key since the collector started. */
export interface KeyAccount {
  readonly id: string;
  readonly beyond: TokenBucket;
  bytes: number;
  readonly stored: StorageAccount;
  readonly refused: Record<RefusalReason, number>;
}

export interface ClientAccounts {
  client(ip: string, now: number): ClientAccount;
  network(client: ClientAccount, now: number): NetworkAccount;
  key(id: string, now: number): KeyAccount;
  keys(): readonly KeyAccount[];
  readonly quotas: StorageQuotas;
}

const noClient = () => false;

export function createClientAccounts(limits = CLIENT_LIMITS, maxAddresses = MAX_ADDRESSES): ClientAccounts {
  const clients = new Map<string, ClientAccount>();
  const networks = new Map<string, NetworkAccount>();
  const keys = new Map<string, KeyAccount>();
  const quotas = new StorageQuotas(limits.storage);
  let numberOfNetworks = 0;

  /** First those about whom there is nothing to remember; if that is not enough, all that hold nothing. */
  function makePlace<Account extends Budget>(
    accounts: Map<string, Account>,
    now: number,
    holds: (account: Account) => boolean,
    hasStored: (account: Account) => boolean,
  ): void {
    if (accounts.size < maxAddresses) return;
    for (const [address, account] of accounts) {
      if (holds(account) || hasStored(account)) continue;
      if (account.all.isFull(now) && account.allowance.isFull(now)) accounts.delete(address);
    }
    if (accounts.size < maxAddresses) return;
    for (const [address, account] of accounts) if (!holds(account)) accounts.delete(address);
  }

  return {
    client(ip, now) {
      const address = clientAddress(ip);
      const known = clients.get(address);
      if (known !== undefined) return known;
      makePlace(clients, now, noClient, noClient);
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
      makePlace(
        networks,
        now,
        ({ held }) => held > 0,
        ({ stored }) => stored.all.used(now) > FORGETTABLE_BYTES,
      );
      const network = {
        number: ++numberOfNetworks,
        held: 0,
        stored: quotas.ofNetwork(now),
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
        stored: quotas.ofKey(now),
        refused: { busy: 0, rate_limited: 0, quota_exceeded: 0 },
      };
      keys.set(id, key);
      return key;
    },
    keys: () => [...keys.values()],
    quotas,
  };
}
