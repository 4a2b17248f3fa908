import type { Observation } from './change.ts';
import { quantileRank } from './quantile-rank.ts';

/** Values sorted once; a draw only changes how often each of its units counts. */
export interface Group {
  readonly sorted: Float64Array;
  /** To which unit (a browser, or the sample itself) each sorted value belongs. */
  readonly unitOf: Uint32Array;
  readonly units: number;
  readonly median: number;
}

export function groupOf(observations: readonly Observation[], byBrowser: boolean): Group {
  const ids = new Map<string, number>();
  const order = [...observations].sort((a, b) => a.value - b.value);
  const unitOf = Uint32Array.from(order, ({ browser }, i) => {
    if (!byBrowser) return i;
    const name = browser ?? '';
    const id = ids.get(name) ?? ids.size;
    ids.set(name, id);
    return id;
  });
  const sorted = Float64Array.from(order, ({ value }) => value);
  const median = sorted[quantileRank(0.5, sorted.length)] as number;
  return { sorted, unitOf, units: byBrowser ? ids.size : order.length, median };
}

/** Medians of `draws` groups, each of as many units as there are, drawn with replacement. */
export function bootstrapMedians(group: Group, draws: number, random: () => number): Float64Array {
  const medians = new Float64Array(draws);
  const times = new Uint32Array(group.units);
  for (let draw = 0; draw < draws; draw++) {
    times.fill(0);
    for (let i = 0; i < group.units; i++) {
      const unit = Math.floor(random() * group.units);
      times[unit] = (times[unit] as number) + 1;
    }
    medians[draw] = weightedMedian(group, times);
  }
  return medians;
}

function weightedMedian({ sorted, unitOf }: Group, times: Uint32Array): number {
  let n = 0;
  for (const unit of unitOf) n += times[unit] as number;
  const rank = quantileRank(0.5, n);
  let seen = 0;
  for (let i = 0; i < sorted.length; i++) {
    seen += times[unitOf[i] as number] as number;
    if (seen > rank) return sorted[i] as number;
  }
  return sorted[sorted.length - 1] as number;
}
