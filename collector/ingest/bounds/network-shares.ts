import { MAX_NEW_CLIENTS } from '../../../shared/vocabulary/wire-limits.ts';

/** All keys together may introduce twice as much as one, so that one key leaves room for another. */
const TOTAL_FACTOR = 2;

/** The sender of a batch. */
export interface NetworkSender {
  /** Id of the ingest key. */
  readonly key: string;
  /** Number of the network, in memory only. */
  readonly network: number;
}

/**
 * How many names, cells or the like each key has introduced. No network gets more than is left for the others, so one
 * that floods gets at most half.
 */
export class NetworkShares {
  private readonly byKey = new Map<string, { used: number; readonly byNetwork: Map<number, number> }>();
  private readonly perKey: number;
  private total = 0;

  constructor(perKey: number) {
    this.perKey = perKey;
  }

  /** Counts one more; false if the limit is reached. */
  take({ key, network }: NetworkSender): boolean {
    const account = this.byKey.get(key) ?? { used: 0, byNetwork: new Map<number, number>() };
    const own = account.byNetwork.get(network) ?? 0;
    if (this.total >= TOTAL_FACTOR * this.perKey || own >= this.perKey - account.used) return false;
    this.total++;
    account.used++;
    account.byNetwork.set(network, own + 1);
    this.byKey.set(key, account);
    return true;
  }

  startOver(): void {
    this.byKey.clear();
    this.total = 0;
  }
}

const DAY_MS = 86_400_000;

/**
 * Returns whether a browser is counted individually. Each takes a number that is stored with its id, and a leaked key can
 * invent any number of browsers; beyond the limit they share one until the next day (UTC).
 *
 * @param isNumbered whether a browser already has a number
 */
export function createClientBounds(
  isNumbered: (client: string) => boolean,
  maxClients = MAX_NEW_CLIENTS,
): (client: string, now: number, sender: NetworkSender) => boolean {
  const shares = new NetworkShares(maxClients);
  const introduced = new Set<string>();
  let day = Number.NaN;

  return (client, now, sender) => {
    const today = Math.floor(now / DAY_MS);
    if (today !== day) {
      day = today;
      introduced.clear();
      shares.startOver();
    }
    if (introduced.has(client) || isNumbered(client)) return true;
    if (!shares.take(sender)) return false;
    introduced.add(client);
    return true;
  };
}
