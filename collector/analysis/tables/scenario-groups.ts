import type { StoredSample } from '../../../shared/sample/sample.ts';
import { scenarioLabelOf, scenarioOf } from '../../../shared/sample/scenario.ts';
import { isImported, SCENARIOS, SCRIPT_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import { aggregateSamples } from '../summary/aggregate-samples.ts';
import type { HostCounts } from '../summary/shared-hosts.ts';
import type { WithFacts } from './scenario-facts.ts';

/** The origin of requests: users, probes or an imported recording. They answer different questions and are never mixed. */
export const GROUP_SOURCES = ['page', 'probe', 'import'] as const;
export type GroupSource = (typeof GROUP_SOURCES)[number];

/** Requests of no scenario, as the cost of their connection is unknown: by source and connection class. */
export type OutsideCounts = ReadonlyMap<GroupSource, ReadonlyMap<string, number>>;

/** A scenario as views show it. `https-new-full` and `-resumed` are parts of `https-new`, never added to it. */
export interface ScenarioGroup extends WithFacts {
  readonly scenario: string;
  readonly source: GroupSource;
  readonly aggregate: CellAggregate;
  /** Requests by host; absent if they can be counted from `samples`, or are not needed. */
  readonly hosts?: HostCounts;
}

export const SCENARIO_ORDER: readonly string[] = [...SCENARIOS, 'https-new-resumed', 'https-new-full'];

/**
 * Groups samples by scenario and source, in the order of the list of scenarios. Samples of none are left out.
 *
 * @param aggregateOf a faster way to aggregate a group than sample by sample
 */
export function scenarioGroups(
  samples: Iterable<StoredSample>,
  aggregateOf: (group: Omit<ScenarioGroup, 'aggregate'>) => CellAggregate | undefined = (group) =>
    aggregateSamples(group.samples, [])[0],
): ScenarioGroup[] {
  const groups = new Map<string, { scenario: string; source: ScenarioGroup['source']; samples: StoredSample[] }>();
  for (const sample of samples) {
    if (sample.source === SCRIPT_SOURCE) continue;
    const source = sourceOf(sample);
    const names = new Set([scenarioOf(sample), scenarioLabelOf(sample)]);
    for (const scenario of names) {
      if (scenario === null) continue;
      const id = `${scenario} ${source}`;
      const group = groups.get(id);
      if (group) group.samples.push(sample);
      else groups.set(id, { scenario, source, samples: [sample] });
    }
  }
  return [...groups.values()]
    .sort(
      (a, b) =>
        SCENARIO_ORDER.indexOf(a.scenario) - SCENARIO_ORDER.indexOf(b.scenario) ||
        GROUP_SOURCES.indexOf(a.source) - GROUP_SOURCES.indexOf(b.source),
    )
    .flatMap((group) => {
      const aggregate = aggregateOf(group);
      return aggregate === undefined ? [] : [{ ...group, aggregate }];
    });
}

export function sourceOf({ source }: Pick<StoredSample, 'source'>): GroupSource {
  if (source === 'page') return 'page';
  return isImported(source) ? 'import' : 'probe';
}

export function outsideScenarios(samples: Iterable<StoredSample>): OutsideCounts {
  const counts = new Map<GroupSource, Map<string, number>>();
  for (const sample of samples) {
    if (sample.source !== SCRIPT_SOURCE && scenarioOf(sample) === null) {
      countOutside(counts, sourceOf(sample), sample.connection, 1);
    }
  }
  return counts;
}

export function countOutside(
  counts: Map<GroupSource, Map<string, number>>,
  source: GroupSource,
  connection: string,
  n: number,
): void {
  const own = counts.get(source) ?? new Map<string, number>();
  counts.set(source, own);
  own.set(connection, (own.get(connection) ?? 0) + n);
}

/** Requests of a group by host. */
export function hostsOf({ hosts, samples }: ScenarioGroup): HostCounts {
  if (hosts !== undefined) return hosts;
  const counts = new Map<string, number>();
  for (const { host } of samples) counts.set(host, (counts.get(host) ?? 0) + 1);
  return counts;
}
