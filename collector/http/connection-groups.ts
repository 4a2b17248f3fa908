/** Each group in the order in which its members joined it. The largest is known without a look at the others. */
export class ConnectionGroups<Member> {
  readonly #keyOf: (member: Member) => string;
  readonly #groups = new Map<string, Set<Member>>();
  /** Keys of the groups that have so many members. Sizes change by one, so there are no gaps below the largest. */
  readonly #bySize: Set<string>[] = [new Set()];

  constructor(keyOf: (member: Member) => string) {
    this.#keyOf = keyOf;
  }

  add(member: Member): void {
    const key = this.#keyOf(member);
    const group = this.#groups.get(key) ?? new Set();
    if (group.has(member)) return;
    this.#groups.set(key, group.add(member));
    this.#resize(key, group.size - 1, group.size);
  }

  delete(member: Member): void {
    const key = this.#keyOf(member);
    const group = this.#groups.get(key);
    if (group === undefined || !group.delete(member)) return;
    if (group.size === 0) this.#groups.delete(key);
    this.#resize(key, group.size + 1, group.size);
  }

  size(key: string): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  first(key: string): Member | undefined {
    return firstOf(this.#groups.get(key));
  }

  largest(): string | undefined {
    return firstOf(this.#bySize.at(-1));
  }

  #resize(key: string, from: number, to: number): void {
    this.#bySize[from]?.delete(key);
    if (to > 0) {
      const others = this.#bySize[to] ?? new Set();
      this.#bySize[to] = others.add(key);
    }
    while (this.#bySize.length > 1 && this.#bySize.at(-1)?.size === 0) this.#bySize.pop();
  }
}

function firstOf<Item>(items: ReadonlySet<Item> = new Set()): Item | undefined {
  const [first] = items;
  return first;
}
