/** Of all rooms together, a few megabytes. */
const MAX_CANDIDATES = 20_000;
/** So that no single batch pushes out more than a fortieth of them. */
const MAX_CANDIDATES_PER_BODY = 500;

/** Names that are folded for now, and which clients of standing sent them: the least recently sent give way. */
export class NameCandidates {
  readonly #clients = new Map<string, number>();
  #fresh = 0;

  beginBody(): void {
    this.#fresh = 0;
  }

  /** Bitmap of the clients that sent this name so far, with this one's vote. */
  see(room: number, name: string, vote: number): number {
    const id = `${room} ${name}`;
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
