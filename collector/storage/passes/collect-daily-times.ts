import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';

/** `ttlb` of each group on one day, ms. */
export interface GroupDay {
  readonly day: number;
  /** Ascending. */
  readonly sorted: Float64Array;
  /** Those that count. */
  readonly browsers: ReadonlySet<string>;
}

const NO_BROWSERS: ReadonlySet<string> = new Set();

/**
 * The days of each group, in order; those without a value are absent. Call the result once the pass has run.
 * @param bounds where the days begin, and where the last one ends: ascending epoch ms
 * @param counts which browsers to collect
 */
export function collectDailyTimes(
  pass: RangePass,
  groups: QueryGroups,
  bounds: readonly number[],
  counts: (client: string) => boolean,
): () => readonly (readonly GroupDay[])[] {
  const days = bounds.length - 1;
  const browsers = new Map<number, Set<string>>();
  const pieces: { readonly keys: Int32Array; readonly values: Float64Array }[] = [];
  pass.rows((part) => {
    if (!groups.hasRows(part)) return;
    const groupOf = groups.groupsOfRows(part);
    const times = part.metrics.values('ttlb');
    const at = part.columns.at();
    const keys = new Int32Array(times.length);
    const values = new Float64Array(times.length);
    const clients = dimensionColumn(part.columns, 'client');
    const counted = clients.strings.map(counts);
    let n = 0;
    let day = 0;
    for (let row = 0; row < times.length; row++) {
      const group = groupOf[row] as number;
      const time = times[row] as number;
      if (group < 0 || Number.isNaN(time)) continue;
      const moment = at[row] as number;
      // Rows are nearly in the order of time.
      while (day > 0 && moment < (bounds[day] as number)) day--;
      while (day < days - 1 && moment >= (bounds[day + 1] as number)) day++;
      const key = group * days + day;
      keys[n] = key;
      values[n++] = time / 1000;
      const client = clients.codes[row] as number;
      if (counted[client] !== true) continue;
      const own = browsers.get(key) ?? new Set();
      browsers.set(key, own.add(clients.strings[client] as string));
    }
    if (n > 0) pieces.push({ keys: keys.slice(0, n), values: values.slice(0, n) });
  });
  return () => {
    const starts = new Int32Array(groups.keys.length * days + 1);
    for (const { keys } of pieces) for (const key of keys) starts[key + 1] = (starts[key + 1] as number) + 1;
    for (let key = 1; key < starts.length; key++) starts[key] = (starts[key] as number) + (starts[key - 1] as number);
    const ordered = new Float64Array(starts.at(-1) as number);
    const next = starts.slice();
    for (const { keys, values } of pieces) {
      for (let i = 0; i < keys.length; i++) {
        const key = keys[i] as number;
        const index = next[key] as number;
        next[key] = index + 1;
        ordered[index] = values[i] as number;
      }
    }
    return groups.keys.map((_, group) => {
      const own: GroupDay[] = [];
      for (let day = 0; day < days; day++) {
        const key = group * days + day;
        const [from, to] = [starts[key] as number, starts[key + 1] as number];
        if (from === to) continue;
        const sorted = ordered.subarray(from, to);
        // Many kinds of requests have one a day, and sorting it would take longer than all else.
        if (to - from > 1) sorted.sort();
        own.push({ day, sorted, browsers: browsers.get(key) ?? NO_BROWSERS });
      }
      return own;
    });
  };
}
