import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import { probeOutcome } from '../../reductions/probe-outcome.ts';
import type { Availability } from './probe-results.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Per row; longer ranges get steps of several weeks. */
const MAX_WEEKS = 520;
/** Longer ranges are cut into days. */
const MAX_HOURS_MS = 2 * DAY_MS;

/** Hours of a short range, days of a longer one, weeks of a long one: as many as a screen has room for. */
export function availabilityStep({ from, to }: TimeRange): number {
  if (to - from <= MAX_HOURS_MS) return HOUR_MS;
  if (to - from <= 92 * DAY_MS) return DAY_MS;
  const week = 7 * DAY_MS;
  return week * Math.ceil((to - from) / (MAX_WEEKS * week));
}

/** Which targets were reachable from which site, and when. Steps begin at multiples of their length (UTC). */
export function probeAvailability(samples: readonly StoredSample[], range: TimeRange): Availability {
  const stepMs = availabilityStep(range);
  const first = Math.floor(range.from / stepMs);
  const count = Math.max(1, Math.ceil(range.to / stepMs) - first);
  const rows = new Map<string, { up: number; down: number }[]>();
  for (const sample of samples) {
    if (!sample.source.startsWith('probe-')) continue;
    const outcome = probeOutcome(toEvidenceClass(sample));
    if (outcome === null) continue;
    const id = JSON.stringify([sample.target, sample.host, sample.origin.site || null]);
    const cells = rows.get(id) ?? Array.from({ length: count }, () => ({ up: 0, down: 0 }));
    rows.set(id, cells);
    const cell = cells[Math.floor(sample.at / stepMs) - first];
    if (cell === undefined) continue;
    cell[outcome]++;
  }
  return {
    stepSeconds: stepMs / 1000,
    steps: Array.from({ length: count }, (_, i) => (first + i) * stepMs),
    rows: [...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, cells]) => {
        const [target, host, site] = JSON.parse(id) as [string, string, string | null];
        return { target, site, host, cells: cells.map((cell) => (cell.up + cell.down === 0 ? null : cell)) };
      }),
  };
}
