import { whyNotCompared } from '../../../shared/statistics/comparability.ts';
import { falseDiscovery } from '../../../shared/statistics/false-discovery.ts';
import { upperTail } from '../../../shared/statistics/upper-tail.ts';
import type { Candidate, Detector } from './candidate.ts';
import { createDrawingError, type Drawn } from './drawing-error.ts';
import { type Finding, type FindingPlace, rankFindings } from './finding.ts';
import { numberOfDay, type Waits } from './waits.ts';

/** Less than this is not worth a sentence: one request in 200 would have to be saved entirely. */
const MIN_SHARE = 0.005;
/** Less than this at its own place has no practical use, like a change of a median by less than 5 %. */
const MIN_PLACE_SHARE = 0.05;
const FALSE_DISCOVERY_RATE = 0.05;
const Z_95 = 1.96;
/** More are never acted upon. */
const MAX_FINDINGS = 30;

/**
 * Finds causes one after the other. The one that would save most is taken first and its time taken away, then the rest is
 * searched again: whatever stood out only because of it no longer does, and no time is saved twice.
 */
export function findCauses(
  waits: Waits,
  detectors: readonly Detector[],
  { checkpoint = () => {}, minBrowsers = 0, drawn = null }: SearchOptions = {},
): Finding[] {
  const waitedSince = createWaitedSince(waits);
  const drawingError = drawn === null ? null : createDrawingError(waits, drawn);
  const found: Finding[] = [];
  for (let round = 0; round < MAX_FINDINGS; round++) {
    const candidates = detectors.flatMap((detect) => {
      checkpoint();
      return detect(waits);
    });
    const judged = candidates.map((candidate) => ({ candidate, ...savingOf(candidate) }));
    const certain = falseDiscovery(
      judged.map(({ candidate, p }) => candidate.p ?? p),
      FALSE_DISCOVERY_RATE,
    );
    const best = judged
      .filter(
        ({ candidate, savedMs }, i) =>
          certain[i] === true &&
          isComparable(candidate, waits) &&
          (candidate.serious === true || savedMs >= MIN_SHARE * waitedSince(candidate.since)) &&
          savedMs >= MIN_PLACE_SHARE * candidate.placeMs,
      )
      .sort((a, b) => b.savedMs - a.savedMs)[0];
    if (best === undefined) break;
    const { candidate } = best;
    const finding = candidate.units.length >= minBrowsers ? findingOf(candidate, best, waits) : null;
    const cure = () => candidate.cure();
    if (drawingError === null) cure();
    const missed = drawingError === null ? 0 : drawingError(cure);
    if (finding !== null) found.push({ ...finding, savedInterval: widened(best, missed) });
  }
  return rankFindings(found);
}

/**
 * Whether enough was measured for a comparison. For a single browser its minutes are compared, and a candidate with its own
 * probability has its own test for small numbers.
 */
function isComparable({ place, p, affectedRequests, units }: Candidate, { requests, browsers }: Waits): boolean {
  if (place.client !== null || p !== undefined) return true;
  return whyNotCompared({ n: affectedRequests, browsers: units.length }, { n: requests, browsers }) === null;
}

/** Waiting from a day on, before anything was taken away: a cause that began last week is not compared with a month. */
function createWaitedSince({ waited, table, day, totalMs }: Waits): (since: string | null) => number {
  const known = new Map<string, number>();
  return (since) => {
    if (since === null) return totalMs;
    let sum = known.get(since);
    if (sum === undefined) {
      sum = 0;
      const first = numberOfDay(since);
      for (const row of waited) if ((day[row] as number) >= first) sum += table.times.ttlb[row] as number;
      known.set(since, sum);
    }
    return sum;
  };
}

interface SearchOptions {
  /** Throws once the search is cancelled. */
  readonly checkpoint?: () => void;
  /** A cause that fewer browsers meet is taken away like the others, and not told. */
  readonly minBrowsers?: number;
  /** The parts that were read of a longer range; everything if absent or null. */
  readonly drawn?: Drawn | null;
}

interface Saving {
  readonly savedMs: number;
  /** Standard error over the units. */
  readonly error: number;
  /** One-sided: that nothing would be saved. */
  readonly p: number;
}

/** 95 %. @param missed standard error of not having read everything, a share of the saving */
function widened({ savedMs, error }: Saving, missed: number): readonly [number, number] {
  const half = Z_95 * Math.hypot(error, missed * savedMs);
  return [Math.max(0, savedMs - half), savedMs + half];
}

/** The sum over independent units, and how far it would differ with other units. */
function savingOf({ units }: Candidate): Saving {
  const n = units.length;
  const savedMs = units.reduce((sum, ms) => sum + ms, 0);
  if (n < 2) return { savedMs, error: 0, p: 1 };
  const mean = savedMs / n;
  const variance = units.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (n - 1);
  const error = Math.sqrt(n * variance);
  return {
    savedMs,
    error,
    p: error === 0 ? (savedMs > 0 ? 0 : 1) : upperTail(savedMs / error),
  };
}

function findingOf(candidate: Candidate, saving: Saving, waits: Waits): Finding {
  const { kind, place, phase, affectedRequests, units, since, facts } = candidate;
  const { savedMs } = saving;
  const { totalMs, requests, browsers } = waits;
  return {
    kind,
    place: withItsApp(place, waits),
    phase,
    affectedRequests,
    affectedShare: affectedRequests / requests,
    affectedBrowsersShare: place.client === null ? units.length / browsers : null,
    savedMs,
    savedInterval: widened(saving, 0),
    savedShare: savedMs / totalMs,
    perRequestMs: savedMs / Math.max(1, affectedRequests),
    since,
    facts,
  };
}

/** A host that only one app uses is named with it. */
function withItsApp(place: FindingPlace, { table }: Waits): FindingPlace {
  if (place.target !== null || place.host === null) return place;
  const apps = new Set(table.groups.flatMap(({ target, host }) => (host === place.host ? [target] : [])));
  return apps.size === 1 ? { ...place, target: [...apps][0] ?? null } : place;
}
