/** One list of the entries of many parts, each entry once. */
export class EntryBook<T> {
  readonly entries: T[] = [];
  private readonly known = new Map<string, number>();
  private readonly keyOf: (entry: T) => string;

  /** @param keyOf the same for the same entry */
  constructor(keyOf: (entry: T) => string) {
    this.keyOf = keyOf;
  }

  /** Where the entries of one part stand; what is new is put at the end. */
  placesOf(part: readonly T[]): number[] {
    return part.map((entry) => this.placeOf(entry));
  }

  placeOf(entry: T): number {
    const key = this.keyOf(entry);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const place = this.entries.push(entry) - 1;
    this.known.set(key, place);
    return place;
  }
}
