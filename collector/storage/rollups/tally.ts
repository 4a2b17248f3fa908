/** How often each of a few small whole numbers came: as a map would, but with no look-up for each. */
export class Tally {
  private readonly counts: Int32Array;
  private readonly seen: Int32Array;
  private distinct = 0;

  /** @param size numbers are below it */
  constructor(size: number) {
    this.counts = new Int32Array(size);
    this.seen = new Int32Array(size);
  }

  add(number: number): void {
    const before = this.counts[number] as number;
    if (before === 0) this.seen[this.distinct++] = number;
    this.counts[number] = before + 1;
  }

  /** Hands out each number that came, and begins anew. */
  drain(visit: (number: number, times: number) => void): void {
    for (let i = 0; i < this.distinct; i++) {
      const number = this.seen[i] as number;
      visit(number, this.counts[number] as number);
      this.counts[number] = 0;
    }
    this.distinct = 0;
  }
}
