/** Waiting items that leave in turns, one per key, so that one with many does not hold up those of others. */
export interface FairLine<K, T> {
  readonly size: number;
  /** How many items of a key wait. */
  waiting(key: K): number;
  push(key: K, item: T): void;
  /** The oldest item of the key whose turn it is. */
  shift(): T | undefined;
  remove(key: K, item: T): void;
  /** Everything that waits; afterwards nothing does. */
  empty(): T[];
}

export function createFairLine<K, T>(): FairLine<K, T> {
  /** In the order of their turns. A key without items is forgotten: keys are made by clients' tokens. */
  const lines = new Map<K, T[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    waiting: (key) => lines.get(key)?.length ?? 0,
    push(key, item) {
      const line = lines.get(key) ?? [];
      lines.set(key, line);
      line.push(item);
      size++;
    },
    shift() {
      const next = lines.entries().next();
      if (next.done) return undefined;
      const [key, line] = next.value;
      const item = line.shift();
      size--;
      // Set again, it is behind all others.
      lines.delete(key);
      if (line.length > 0) lines.set(key, line);
      return item;
    },
    remove(key, item) {
      const line = lines.get(key) ?? [];
      const place = line.indexOf(item);
      if (place < 0) return;
      line.splice(place, 1);
      size--;
      if (line.length === 0) lines.delete(key);
    },
    empty() {
      const all = [...lines.values()].flat();
      lines.clear();
      size = 0;
      return all;
    },
  };
}
