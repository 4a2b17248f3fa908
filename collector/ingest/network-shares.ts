/** All keys together have room for twice as much as one, so that one key leaves room for another. */
const TOTAL_FACTOR = 2;

/** Who sent a batch. */
export interface NetworkSender {
  /** Id of the ingest key. */
  readonly key: string;
  /** Number of the network, which is in memory only. */
  readonly network: number;
}

/**
 * How much of something each key has introduced. No network gets more than is left for the others, so one that floods takes
 * half of the room at most.
 */
export class NetworkShares {
  private readonly byKey = new Map<string, { used: number; readonly byNetwork: Map<number, number> }>();
  private readonly perKey: number;
  private total = 0;

  constructor(perKey: number) {
    this.perKey = perKey;
  }

  /** Counts one more; false where there is no room for it. */
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
