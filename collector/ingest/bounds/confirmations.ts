/** Different established browsers that confirm a name: as many as the smallest group that is shown to viewers. */
const CONFIRMING_CLIENTS = 5;
/** Browsers are distinguished by a hash with this many values, so that a name costs one number, not a list. */
export const CLIENT_BITS = 32;
/** The bitmap of a confirmed name. */
export const CONFIRMED = -1;
/** In all sets together: a few megabytes. */
const MAX_CANDIDATES = 20_000;
/** No single batch may displace more than a fortieth of them. */
const MAX_CANDIDATES_PER_BODY = 500;

/** Names that are folded for now, and which established browsers sent them; the least recently sent are dropped. */
export class NameCandidates {
  readonly #clients = new Map<string, number>();
  #fresh = 0;

  beginBody(): void {
    this.#fresh = 0;
  }

  /** Adds a vote. Returns the bitmap of the browsers that have sent this name. */
  see(set: number, name: string, vote: number): number {
    const id = `${set} ${name}`;
    const before = this.#clients.get(id);
    if (before === undefined && ++this.#fresh > MAX_CANDIDATES_PER_BODY) return 0;
    const clients = (before ?? 0) | vote;
    this.#clients.delete(id);
    this.#clients.set(id, clients);
    if (this.#clients.size > MAX_CANDIDATES) this.#forgetOldest();
    return clients;
  }

  #forgetOldest(): void {
    for (const id of this.#clients.keys()) {
      this.#clients.delete(id);
      return;
    }
  }
}

/** Whether a bitmap has enough browsers to confirm a name. */
export function isConfirming(clients: number): boolean {
  let count = 0;
  for (let left = clients; left !== 0; left &= left - 1) count++;
  return count >= CONFIRMING_CLIENTS;
}

/** The sender of a batch. Imports have none. */
export class NameSender {
  /** Id of the ingest key. */
  readonly key: string;
  readonly #clientId: string;
  readonly #counts: (clientId: string) => boolean;
  #client = -1;
  #vote = -1;

  /** @param counts whether a browser may confirm names; called at most once, and only for unconfirmed names */
  constructor(key: string, clientId: string, counts: (clientId: string) => boolean) {
    this.key = key;
    this.#clientId = clientId;
    this.#counts = counts;
  }

  /** One of CLIENT_BITS numbers. Lazy: most batches have only confirmed names. */
  get client(): number {
    if (this.#client < 0) this.#client = fnv1a(this.#clientId) % CLIENT_BITS;
    return this.#client;
  }

  /** Its bit in a name's bitmap; 0 for a browser that may not confirm names. */
  get vote(): number {
    // Unsigned, since the highest bit would make it negative.
    if (this.#vote === -1) this.#vote = this.#counts(this.#clientId) ? (1 << this.client) >>> 0 : 0;
    return this.#vote;
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}
