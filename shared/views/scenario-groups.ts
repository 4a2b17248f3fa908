import { scenarioLabelOf, scenarioOf } from '../classify/scenario.ts';
import { SCRIPT_SOURCE } from '../probe/script-source.ts';
import type { StoredSample } from '../sample/sample.ts';
import { SCENARIOS } from '../sample/vocabulary.ts';
import { aggregateSamples } from '../summary/aggregate-samples.ts';
import type { CellAggregate } from '../summary/cell-aggregate.ts';
import type { WithFacts } from './scenario-facts.ts';

/** A scenario as views show it. `https-new-full` and `-resumed` are parts of `https-new`, never added to it. */
export interface ScenarioGroup extends WithFacts {
  readonly scenario: string;
  /** Users' traffic and probes answer different questions and are never mixed. */
  readonly source: 'page' | 'probe';
  readonly aggregate: CellAggregate;
}

export const SCENARIO_ORDER: readonly string[] = [...SCENARIOS, 'https-new-resumed', 'https-new-full'];

/**
 * Groups samples by scenario and source, in the order of the list of scenarios. Samples of none are left out.
 *
 * @param aggregateOf who can aggregate a group faster than sample by sample
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
        SCENARIO_ORDER.indexOf(a.scenario) - SCENARIO_ORDER.indexOf(b.scenario) || (a.source < b.source ? -1 : 1),
    )
    .flatMap((group) => {
      const aggregate = aggregateOf(group);
      return aggregate === undefined ? [] : [{ ...group, aggregate }];
    });
}

export function sourceOf(sample: Pick<StoredSample, 'source'>): ScenarioGroup['source'] {
  return sample.source === 'page' ? 'page' : 'probe';
}
