/** The calendar month (UTC) that names are remembered for. */
export class CalendarMonth {
  #start = 0;
  #end = 0;

  /** Whether `now` lies in another month than the time before; epoch ms. */
  turns(now: number): boolean {
    if (now >= this.#start && now < this.#end) return false;
    const date = new Date(now);
    this.#start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.#end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    return true;
  }
}
