import { clientAddress } from './client-address.ts';
import { TokenBucket } from './token-bucket.ts';

const MIB = 2 ** 20;

/** Costs are counted in bytes: of a body as sent and inflated, and what else it took, put into bytes (intake.ts). */
export interface ClientLimits {
  readonly addressBytesPerSecond: number;
  readonly addressBurstBytes: number;
  /** What an address may always send, however much others have used up of the key. */
  readonly allowanceBytesPerSecond: number;
  readonly allowanceBurstBytes: number;
  /** Of all addresses with one key, beyond their allowances. */
  readonly keyBytesPerSecond: number;
  readonly keyBurstBytes: number;
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
 */
export const CLIENT_LIMITS: ClientLimits = {
  addressBytesPerSecond: 4 * MIB,
  addressBurstBytes: 64 * MIB,
  allowanceBytesPerSecond: MIB / 8,
  allowanceBurstBytes: 8 * MIB,
  keyBytesPerSecond: 16 * MIB,
  keyBurstBytes: 256 * MIB,
};

/** Addresses that are remembered, about 500 bytes each. */
const MAX_ADDRESSES = 20_000;
/** Keys are made by admins; those that were revoked are forgotten with the process. */
const MAX_KEYS = 10_000;

/** What one address has in flight and may still send. In memory only: never logged, never stored. */
export interface ClientAccount {
  /** No other address has the same while the collector runs. */
  readonly number: number;
  /** Bytes held at the moment. */
  held: number;
  readonly all: TokenBucket;
  readonly allowance: TokenBucket;
}

/** What was sent with one key since the collector started. */
export interface KeyAccount {
  readonly id: string;
  readonly beyond: TokenBucket;
  bytes: number;
  readonly refused: { busy: number; rate_limited: number };
}

export interface ClientAccounts {
  client(ip: string, now: number): ClientAccount;
  key(id: string, now: number): KeyAccount;
  keys(): readonly KeyAccount[];
}

export function createClientAccounts(limits = CLIENT_LIMITS, maxAddresses = MAX_ADDRESSES): ClientAccounts {
  const clients = new Map<string, ClientAccount>();
  const keys = new Map<string, KeyAccount>();
  let addresses = 0;

  /** First those about whom there is nothing to remember; if that is not enough, all that have nothing in flight. */
  function forget(now: number): void {
    for (const [address, client] of clients) {
      if (client.held === 0 && client.all.isFull(now) && client.allowance.isFull(now)) clients.delete(address);
    }
    if (clients.size < maxAddresses) return;
    for (const [address, { held }] of clients) if (held === 0) clients.delete(address);
  }

  return {
    client(ip, now) {
      const address = clientAddress(ip);
      const known = clients.get(address);
      if (known !== undefined) return known;
      if (clients.size >= maxAddresses) forget(now);
      const client = {
        number: ++addresses,
        held: 0,
        all: new TokenBucket(limits.addressBytesPerSecond, limits.addressBurstBytes, now),
        allowance: new TokenBucket(limits.allowanceBytesPerSecond, limits.allowanceBurstBytes, now),
      };
      clients.set(address, client);
      return client;
    },
    key(id, now) {
      const known = keys.get(id);
      if (known !== undefined) return known;
      if (keys.size >= MAX_KEYS) keys.clear();
      const key = {
        id,
        beyond: new TokenBucket(limits.keyBytesPerSecond, limits.keyBurstBytes, now),
        bytes: 0,
        refused: { busy: 0, rate_limited: 0 },
      };
      keys.set(id, key);
      return key;
    },
    keys: () => [...keys.values()],
  };
}
