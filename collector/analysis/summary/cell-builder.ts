import { toEvidenceClass } from '../../../shared/sample/evidence.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { DistributionBuilder } from '../../../shared/statistics/distribution.ts';
import { quantileRank } from '../../../shared/statistics/quantile-rank.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import {
  PHASES,
  SUMMARY_TIMES,
  type SummaryTime,
  TIME_NAMES,
  type TimeName,
} from '../../../shared/vocabulary/time-names.ts';
import type { Connection, Exclusion, UnknownReason } from '../../../shared/vocabulary/vocabulary.ts';
import { type CellAggregate, HIDDEN_STATUS, NEW_ONLY } from '../../reductions/cell-aggregate.ts';
import { findSetUp, isUndivided } from '../../reductions/set-up.ts';
import { type RoundTripIndex, toRoute } from './borrowed-round-trip.ts';
import { dividableWait, ownRoundTrip, toServerShare } from './own-round-trip.ts';

export interface CellBuilder {
  add(sample: StoredSample): void;
  /** @param roundTrips the round trips of all samples of the answer, not only of this cell */
  build(roundTrips: RoundTripIndex): CellAggregate;
}

export function createCellBuilder(key: CellKey, newDistribution: () => DistributionBuilder): CellBuilder {
  const browsers = new Set<string>();
  const connections: Partial<Record<Connection, number>> = {};
  const status: Record<string, number> = {};
  const excluded: Partial<Record<Exclusion, number>> = {};
  const unknown: Partial<Record<TimeName, Partial<Record<UnknownReason, number>>>> = {};
  const times = forEachTime(newDistribution);
  const setupPerConnection = newDistribution();
  const setupPerRequest = newDistribution();
  const ttlbWithoutSetup = newDistribution();
  const serverShare = newDistribution();
  const ownTrips: number[] = [];
  const waits: { readonly route: string | null; readonly wait: number; readonly borrows: boolean }[] = [];
  let samples = 0;
  let usable = 0;
  let opaque = 0;
  let cache = 0;
  let complete = 0;
  let setupUnknown = 0;
  let clockStep: number | null = null;

  function add(sample: StoredSample): void {
    samples++;
    browsers.add(sample.origin.client);
    count(connections, sample.connection);
    count(status, sample.status === null ? HIDDEN_STATUS : String(sample.status));
    const evidence = toEvidenceClass(sample);
    if (evidence === 'usable') addUsable(sample);
    else if (evidence === 'opaque') opaque++;
    else if (evidence === 'cache') cache++;
    else count(excluded, evidence);
  }

  function addUsable(sample: StoredSample): void {
    usable++;
    clockStep = Math.max(clockStep ?? 0, sample.origin.clockStep);
    addTimes(sample);
    addSetUp(sample);
    addServer(sample);
  }

  function addTimes(sample: StoredSample): void {
    for (const name of SUMMARY_TIMES) {
      const time = sample.times[name];
      if (time !== null && (sample.connection === 'new' || !NEW_ONLY.has(name))) times[name].add(time);
    }
    for (const name of TIME_NAMES) {
      const reason = sample.unknown[name];
      if (sample.times[name] !== null || reason === undefined) continue;
      unknown[name] ??= {};
      count(unknown[name], reason);
    }
    // The lookup of a request with an unknown connection is in none of the times above, so it is not accounted for.
    const counted = PHASES.filter((phase) => sample.connection === 'new' || !NEW_ONLY.has(phase));
    const sum = counted.reduce((total, phase) => total + (sample.times[phase] ?? 0), 0);
    const undivided = sample.connection === 'new' && isUndivided(sample) && findSetUp(sample) !== null;
    if (sum === sample.times.ttlb || undivided) complete++;
  }

  function addSetUp(sample: StoredSample): void {
    const setUp = findSetUp(sample);
    if (setUp !== null) {
      setupPerRequest.add(setUp);
      if (sample.connection === 'new') setupPerConnection.add(setUp);
    } else setupUnknown++;
    const { ttlb } = sample.times;
    if (ttlb !== null) ttlbWithoutSetup.add(ttlb - (setUp ?? 0));
  }

  function addServer(sample: StoredSample): void {
    const { wait } = sample.times;
    const borrows = sample.connection === 'reused' && dividableWait(sample) !== null;
    if (wait !== null) waits.push({ route: toRoute(sample), wait, borrows });
    const share = toServerShare(sample);
    if (share === null) return;
    serverShare.add(share);
    ownTrips.push(ownRoundTrip(sample) ?? 0);
  }

  function build(roundTrips: RoundTripIndex): CellAggregate {
    const roundTrip = newDistribution();
    for (const time of ownTrips) roundTrip.add(time);
    const share = newDistribution();
    const basis = { site: 0, none: 0 };
    for (const { route, wait, borrows } of waits) {
      const borrowed = roundTrips.lookUp(route);
      if (!borrows) continue;
      basis[borrowed === null ? 'none' : 'site']++;
      if (borrowed === null) continue;
      share.add(wait - borrowed);
      roundTrip.add(borrowed);
    }
    const trips = roundTrip.build();
    const usual = trips.n === 0 ? null : trips.valueAtRank(quantileRank(0.5, trips.n));
    const trip = (route: string | null) => roundTrips.lookUp(route) ?? usual ?? 0;
    return {
      key,
      samples,
      browsers: browsers.size,
      evidence: { usable, opaque, cache, excluded: { ...excluded } },
      connections: { ...connections },
      status: { ...status },
      times: buildAll(times),
      unknown: Object.fromEntries(Object.entries(unknown).map(([name, reasons]) => [name, { ...reasons }])),
      setupPerConnection: setupPerConnection.build(),
      setupPerRequest: setupPerRequest.build(),
      ttlbWithoutSetup: ttlbWithoutSetup.build(),
      setupUnknown,
      serverShare: serverShare.build(),
      reusedServerShare: { share: share.build(), basis },
      roundTrip: trips,
      waitRoundTrips:
        usual === null ? null : waits.reduce((sum, { route, wait }) => sum + Math.min(trip(route), wait), 0),
      complete,
      clockStep,
    };
  }

  return { add, build };
}

function count<K extends string>(counts: Partial<Record<K, number>>, name: K): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function forEachTime<T>(make: () => T): Record<SummaryTime, T> {
  return Object.fromEntries(SUMMARY_TIMES.map((name) => [name, make()])) as Record<SummaryTime, T>;
}

function buildAll(times: Record<SummaryTime, DistributionBuilder>): CellAggregate['times'] {
  return Object.fromEntries(SUMMARY_TIMES.map((name) => [name, times[name].build()])) as CellAggregate['times'];
}
