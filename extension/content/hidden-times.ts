/** Records when the document was hidden, since timers and requests are throttled then. */
export class HiddenTimes {
  /** Pairs of start and end on the document's clock, ms; an open end is Infinity. */
  readonly #intervals: [number, number][] = [];
  readonly #now: () => number;

  /** `now` is `performance.now`; a document that is hidden already counts as hidden since its start. */
  constructor(now: () => number, hidden: boolean) {
    this.#now = now;
    if (hidden) this.#intervals.push([0, Number.POSITIVE_INFINITY]);
  }

  change(hidden: boolean): void {
    const last = this.#intervals.at(-1);
    const open = last?.[1] === Number.POSITIVE_INFINITY;
    if (hidden && !open) this.#intervals.push([this.#now(), Number.POSITIVE_INFINITY]);
    if (!hidden && last && open) last[1] = this.#now();
  }

  overlaps(start: number, end: number): boolean {
    return this.#intervals.some(([from, to]) => from < end && to > start);
  }
}
