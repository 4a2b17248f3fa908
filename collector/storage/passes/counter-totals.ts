/** Counters by group; see row-counters.ts for their names. */
export interface CounterTotals {
  /** The index of a counter. */
  indexOf(name: string): number;
  raise(group: number, index: number, by: number): void;
  get(group: number, name: string): number;
  /** The counters of a group that are not 0. */
  entries(group: number): readonly (readonly [name: string, count: number])[];
}

const START_PLACES = 16;

export function createCounterTotals(): CounterTotals {
  const names: string[] = [];
  const indices = new Map<string, number>();
  const totals: Float64Array[] = [];
  return {
    indexOf(name) {
      const known = indices.get(name);
      if (known !== undefined) return known;
      indices.set(name, names.push(name) - 1);
      return names.length - 1;
    },
    raise(group, index, by) {
      while (totals.length <= group) totals.push(new Float64Array(START_PLACES));
      let own = totals[group] as Float64Array;
      if (index >= own.length) {
        const grown = new Float64Array(Math.max(index + 1, own.length * 2));
        grown.set(own);
        own = grown;
        totals[group] = own;
      }
      own[index] = (own[index] as number) + by;
    },
    get: (group, name) => totals[group]?.[indices.get(name) ?? -1] ?? 0,
    entries: (group) =>
      names.flatMap((name, index) => {
        const count = totals[group]?.[index] ?? 0;
        return count === 0 ? [] : [[name, count] as const];
      }),
  };
}
