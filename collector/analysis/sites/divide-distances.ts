import { medianPolish } from '../../../shared/statistics/median-polish.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import { type UnitValues, weightedMedian } from '../../../shared/statistics/weighted-median.ts';

/** Each draw is a table of medians; the 2.5 % edges of an interval then rest on 10 draws each. */
const DRAWS = 400;
const TAIL = 0.025;
/** With two, the median lies halfway between them: which of them is the unusual one cannot be said. */
export const MIN_LINES = 3;
/** An effect stands out from this share of the overall level on, if its interval excludes 0 … */
const MIN_RELATIVE_EFFECT = 0.2;
/** … and from this time on, µs: a smaller one is of no use to anybody, and clocks are no finer than 1 ms. */
const MIN_EFFECT = 5_000;

/** What was measured at one site for one host, µs. */
export interface DistanceCell {
  readonly site: string;
  readonly host: string;
  /** One value a unit: each browser's median or, where it was a probe that measured, each of its values. */
  readonly values: ArrayLike<number>;
  /** Names the units. Those of the same site and name are drawn together, because a slow browser is slow to all hosts. */
  readonly units: readonly string[];
}

export interface Effect {
  /** µs beyond the median site or host; of a pair, beyond what its site and host have together. */
  readonly effect: number;
  /** 95 %, by resampling browsers; null if most draws have no value of it. */
  readonly interval: readonly [number, number] | null;
  /** The interval excludes 0, and the effect is long enough to matter. */
  readonly standsOut: boolean;
}

export interface DividedDistances {
  /** At the median site for the median host, µs. */
  readonly overall: number;
  readonly sites: ReadonlyMap<string, Effect>;
  readonly hosts: ReadonlyMap<string, Effect>;
  /** In the order of the cells. Median = overall + site + host + pair. */
  readonly pairs: readonly (Effect & { readonly median: number })[];
}

/**
 * Whether a long connect belongs to a site's line, to a host, or to the pair of them: a median polish of the sites' and
 * hosts' medians. Intervals by a bootstrap over browsers, drawn within each site.
 *
 * @param random uniform in [0, 1); seed it, so that an answer can be reproduced
 * @returns null with fewer than 3 sites or hosts
 */
export function divideDistances(cells: readonly DistanceCell[], random: () => number): DividedDistances | null {
  const sites = [...new Set(cells.map(({ site }) => site))];
  const hosts = [...new Set(cells.map(({ host }) => host))];
  if (sites.length < MIN_LINES || hosts.length < MIN_LINES) return null;
  const places = cells.map(({ site, host }) => [sites.indexOf(site), hosts.indexOf(host)] as const);
  const polish = (medians: readonly (number | null)[]) => {
    const table = sites.map(() => new Array<number | null>(hosts.length).fill(null));
    places.forEach(([row, column], i) => {
      (table[row] as (number | null)[])[column] = medians[i] ?? null;
    });
    return medianPolish(table);
  };

  const prepared = prepare(cells);
  const medians = prepared.cells.map(({ sorted }) => sorted[quantileRank(0.5, sorted.length)] ?? null);
  const found = polish(medians);
  const drawn = Array.from({ length: DRAWS }, () => {
    const times = drawUnits(prepared.strata, random);
    return polish(prepared.cells.map((cell) => weightedMedian(cell, times)));
  });
  const effectOf = (effect: number, draws: readonly (number | null)[]) => withInterval(effect, draws, found.overall);
  return {
    overall: found.overall,
    sites: new Map(
      sites.map((site, i) => [
        site,
        effectOf(
          found.rows[i] ?? 0,
          drawn.map(({ rows }) => rows[i] ?? 0),
        ),
      ]),
    ),
    hosts: new Map(
      hosts.map((host, i) => [
        host,
        effectOf(
          found.columns[i] ?? 0,
          drawn.map(({ columns }) => columns[i] ?? 0),
        ),
      ]),
    ),
    pairs: places.map(([row, column], i) => ({
      median: medians[i] ?? 0,
      ...effectOf(
        found.residuals[row]?.[column] ?? 0,
        drawn.map(({ residuals }) => residuals[row]?.[column] ?? null),
      ),
    })),
  };
}

/** Sorts once; a draw only changes how often each unit counts. */
function prepare(cells: readonly DistanceCell[]): { readonly cells: UnitValues[]; readonly strata: number[][] } {
  const numbers = new Map<string, number>();
  const strata = new Map<string, number[]>();
  function numberOf(site: string, unit: string): number {
    const name = JSON.stringify([site, unit]);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(name, number);
    const stratum = strata.get(site) ?? [];
    stratum.push(number);
    strata.set(site, stratum);
    return number;
  }
  const prepared = cells.map(({ site, values, units }) => {
    const order = units.map((_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
    return {
      sorted: Float64Array.from(order, (i) => values[i] as number),
      unitOf: Uint32Array.from(order, (i) => numberOf(site, units[i] as string)),
    };
  });
  return { cells: prepared, strata: [...strata.values()] };
}

/** How often each unit was drawn: as many of each site as it has. */
function drawUnits(strata: readonly (readonly number[])[], random: () => number): Uint32Array {
  const times = new Uint32Array(strata.reduce((sum, { length }) => sum + length, 0));
  for (const units of strata) {
    for (let i = 0; i < units.length; i++) {
      const unit = units[Math.floor(random() * units.length)] as number;
      times[unit] = (times[unit] as number) + 1;
    }
  }
  return times;
}

function withInterval(effect: number, draws: readonly (number | null)[], overall: number): Effect {
  const known = draws.filter((each) => each !== null).sort((a, b) => a - b);
  if (known.length < draws.length / 2) return { effect, interval: null, standsOut: false };
  const low = known[quantileRank(TAIL, known.length)] as number;
  const high = known[known.length - 1 - quantileRank(TAIL, known.length)] as number;
  const matters = Math.abs(effect) >= Math.max(MIN_EFFECT, MIN_RELATIVE_EFFECT * overall);
  return { effect, interval: [low, high], standsOut: matters && (low > 0 || high < 0) };
}
