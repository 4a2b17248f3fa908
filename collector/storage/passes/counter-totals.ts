/** How often each group raised each counter; see row-counters.ts for their names. */
export interface CounterTotals {
  /** The number of a counter, to raise it by. */
  indexOf(name: string): number;
  raise(group: number, place: number, by: number): void;
  get(group: number, name: string): number;
  /** Those of a group that are not 0, in the order they were first raised by any. */
  entries(group: number): readonly (readonly [name: string, count: number])[];
}

const START_PLACES = 16;

export function createCounterTotals(): CounterTotals {
  const names: string[] = [];
  const places = new Map<string, number>();
  const totals: Float64Array[] = [];
  return {
    indexOf(name) {
      const known = places.get(name);
      if (known !== undefined) return known;
      places.set(name, names.push(name) - 1);
      return names.length - 1;
    },
    raise(group, place, by) {
      while (totals.length <= group) totals.push(new Float64Array(START_PLACES));
      let own = totals[group] as Float64Array;
      if (place >= own.length) {
        const grown = new Float64Array(Math.max(place + 1, own.length * 2));
        grown.set(own);
        own = grown;
        totals[group] = own;
      }
      own[place] = (own[place] as number) + by;
    },
    get: (group, name) => totals[group]?.[places.get(name) ?? -1] ?? 0,
    entries: (group) =>
      names.flatMap((name, place) => {
        const count = totals[group]?.[place] ?? 0;
        return count === 0 ? [] : [[name, count] as const];
      }),
  };
}
