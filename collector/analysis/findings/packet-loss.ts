import { CONNECTION } from '../../reductions/request-table.ts';
import { type Candidate, type Detector, UnitSums } from './candidate.ts';
import { ANYWHERE, type FindingPlace } from './finding.ts';
import type { Waits } from './waits.ts';

/** RFC 6298: a lost SYN is sent again after 1 s, then after 2 s and 4 s more. */
const STEPS_MS = [1000, 3000, 7000] as const;
/** A step begins this much early because timers are coarse, and ends a long round trip later. */
const EARLY_MS = 20;
const ROUND_TRIP_MS = 600;
/** At 1 % TCP no longer fills a line (Mathis et al., 1997); lines in order lose a tenth of that. */
const MIN_LOSS = 0.01;
const MIN_RETRIES = 5;
const Z_95 = 1.96;

/** Connects that took one of the steps in which a lost packet is sent again, of one host or at one site. */
export const findPacketLoss: Detector = (waits) => {
  const places = [
    { codes: waits.host, of: waits.hosts.map((host): FindingPlace => ({ ...ANYWHERE, host })) },
    { codes: waits.site, of: waits.sites.map((site): FindingPlace => ({ ...ANYWHERE, site })) },
  ];
  const steps = new Map<number, number>();
  const connects: number[] = [];
  for (const row of waits.timed) {
    if (waits.table.connection[row] !== CONNECTION.new || Number.isNaN(waits.left.tcp[row] as number)) continue;
    connects.push(row);
    const step = stepOf(waits.left.tcp[row] as number);
    if (step > 0) steps.set(row, step);
  }
  return places.flatMap(({ codes, of }) =>
    of.flatMap((place, code) => lossAt(waits, connects, steps, codes, code, place)),
  );
};

function lossAt(
  waits: Waits,
  connects: readonly number[],
  steps: ReadonlyMap<number, number>,
  codes: Int32Array,
  code: number,
  place: FindingPlace,
): Candidate[] {
  const { table, left } = waits;
  const sums = new UnitSums();
  let all = 0;
  let lost = 0;
  let placeMs = 0;
  for (const row of connects) {
    if (codes[row] !== code) continue;
    all++;
    placeMs += left.tcp[row] as number;
    const step = steps.get(row) ?? 0;
    if (step > 0) {
      lost++;
      sums.add(table.browser[row] as number, step);
    }
  }
  if (lost < MIN_RETRIES || lowerShare(lost, all) < MIN_LOSS) return [];
  return [
    {
      kind: 'packet_loss',
      place,
      phase: 'tcp',
      since: null,
      facts: { lossShare: lost / all, connects: all },
      affectedRequests: lost,
      units: sums.units(),
      placeMs,
      cure() {
        for (const [row, step] of steps) {
          if (codes[row] !== code) continue;
          left.tcp[row] = Math.max(0, (left.tcp[row] as number) - step);
          left.ttlb[row] = Math.max(0, (left.ttlb[row] as number) - step);
        }
      },
    },
  ];
}

/** What was lost on waiting for a timer, ms; 0 if the connect is on no step. */
function stepOf(tcp: number): number {
  for (const step of STEPS_MS) if (tcp >= step - EARLY_MS && tcp < step + ROUND_TRIP_MS) return step;
  return 0;
}

/** Lower end of Wilson's interval. */
function lowerShare(k: number, n: number): number {
  const share = k / n;
  const z2 = Z_95 ** 2;
  return (share + z2 / (2 * n) - Z_95 * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
}
