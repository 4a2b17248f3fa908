/** The calendar month (UTC) for which names and cells are kept. */
export class CalendarMonth {
  #start = 0;
  #end = 0;

  /** Whether `now`, epoch ms, is in another month than at the last call. */
  turns(now: number): boolean {
    if (now >= this.#start && now < this.#end) return false;
    const date = new Date(now);
    this.#start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.#end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    return true;
  }
}
