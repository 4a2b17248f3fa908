import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import {
  countOutside,
  GROUP_SOURCES,
  type GroupSource,
  type OutsideCounts,
  SCENARIO_ORDER,
  type ScenarioGroup,
  toGroupSource,
} from '../../../collector/analysis/tables/scenario-groups.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { toScenario, toScenarioLabel } from '../../../shared/sample/scenario.ts';
import { SCRIPT_SOURCE } from '../../../shared/vocabulary/vocabulary.ts';
import { scenarioFacts } from './scenario-facts.ts';

/**
 * Groups samples by scenario and source, in the order of the list of scenarios. Samples of none are left out.
 */
export function scenarioGroups(samples: Iterable<StoredSample>): ScenarioGroup[] {
  const groups = new Map<string, { scenario: string; source: ScenarioGroup['source']; samples: StoredSample[] }>();
  for (const sample of samples) {
    if (sample.source === SCRIPT_SOURCE) continue;
    const source = toGroupSource(sample);
    const names = new Set([toScenario(sample), toScenarioLabel(sample)]);
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
      const aggregate = aggregateSamples(group.samples, [])[0];
      const { samples: own, ...names } = group;
      return aggregate === undefined ? [] : [{ ...names, aggregate, facts: scenarioFacts(own), counts: countsOf(own) }];
    });
}

function countsOf(samples: readonly StoredSample[]): ScenarioGroup['counts'] {
  const count = (names: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  };
  return {
    host: count(samples.map(({ host }) => host)),
    type: count(samples.map(({ type }) => type)),
    site: count(samples.map(({ origin }) => origin.site)),
  };
}

export function outsideScenarios(samples: Iterable<StoredSample>): OutsideCounts {
  const counts = new Map<GroupSource, Map<string, number>>();
  for (const sample of samples) {
    if (sample.source !== SCRIPT_SOURCE && toScenario(sample) === null) {
      countOutside(counts, toGroupSource(sample), sample.connection, 1);
    }
  }
  return counts;
}
