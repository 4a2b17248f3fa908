import { CONNECTION } from '../../reductions/request-table.ts';
import { UnitSums } from './candidate.ts';
import { findMedian, type LikeMedians, likeMedians } from './like-medians.ts';
import type { Waits } from './waits.ts';

/** Lookups are not among them: they go to a resolver, not to the host. */
const PHASES = ['blocked', 'tcp', 'tls', 'wait', 'receive'] as const;
type Phase = (typeof PHASES)[number];

/** How much longer each phase of a request takes at one site than the same request does at a typical one. */
export interface SiteShift {
  readonly sums: UnitSums;
  readonly placeMs: number;
  /** Mean shift of each phase, over the requests at the site that have it. */
  readonly mean: Readonly<Record<Phase, number>>;
  /** Mean shift of `tcp` over new connections. */
  readonly connectMs: number;
  /** Typical connect elsewhere, over the same requests. */
  readonly connectElsewhereMs: number;
  cure(): void;
}

export type SiteLikes = Readonly<Record<Phase, LikeMedians>>;

export function siteLikes(waits: Waits): SiteLikes {
  const { timed, left, site, sites } = waits;
  return Object.fromEntries(
    PHASES.map((phase) => [phase, likeMedians(waits, timed, left[phase], site, sites.length)]),
  ) as unknown as SiteLikes;
}

/** How much longer the typical new connection to a site takes than the same at a typical one; 0 if there are none. */
export function typicalShift(
  { timed, site, stratum, table, left }: Waits,
  connects: LikeMedians,
  place: number,
): number {
  const shifts: number[] = [];
  for (const row of timed) {
    if (site[row] !== place || table.connection[row] !== CONNECTION.new) continue;
    const shift = (left.tcp[row] as number) - (connects.like[stratum[row] as number] as number);
    if (!Number.isNaN(shift)) shifts.push(shift);
  }
  return shifts.length === 0 ? 0 : findMedian(Float64Array.from(shifts));
}

export function siteShift(waits: Waits, likes: SiteLikes, place: number): SiteShift {
  const { timed, left, site, stratum, table } = waits;
  const sums = new UnitSums();
  const total = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Record<Phase, number>;
  const count = { ...total };
  let [connect, elsewhere, connects, placeMs] = [0, 0, 0, 0];
  const shiftOf = (phase: Phase, row: number) => {
    const one = stratum[row] as number;
    return likes[phase].at(one, place) - (likes[phase].like[one] as number);
  };
  for (const row of timed) {
    if (site[row] !== place) continue;
    placeMs += left.ttlb[row] as number;
    let saved = 0;
    for (const phase of PHASES) {
      if (Number.isNaN(left[phase][row] as number)) continue;
      const shift = shiftOf(phase, row);
      if (Number.isNaN(shift)) continue;
      total[phase] += shift;
      count[phase]++;
      saved += shift;
      if (phase === 'tcp' && table.connection[row] === CONNECTION.new) {
        connect += shift;
        elsewhere += likes.tcp.like[stratum[row] as number] as number;
        connects++;
      }
    }
    sums.add(table.browser[row] as number, saved);
  }
  return {
    sums,
    placeMs,
    mean: Object.fromEntries(PHASES.map((phase) => [phase, total[phase] / Math.max(1, count[phase])])) as Record<
      Phase,
      number
    >,
    connectMs: connects === 0 ? 0 : connect / connects,
    connectElsewhereMs: connects === 0 ? 0 : elsewhere / connects,
    cure() {
      for (const row of timed) {
        if (site[row] !== place) continue;
        for (const phase of PHASES) {
          const shift = shiftOf(phase, row);
          const value = left[phase][row] as number;
          if (Number.isNaN(shift) || Number.isNaN(value)) continue;
          const cured = Math.max(0, value - shift);
          left[phase][row] = cured;
          left.ttlb[row] = Math.max(0, (left.ttlb[row] as number) - (value - cured));
        }
      }
    },
  };
}
