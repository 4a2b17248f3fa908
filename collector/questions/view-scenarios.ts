import { toScenarioLabel } from '../../shared/sample/scenario.ts';
import type { AnyDimension, CellKey } from '../../shared/vocabulary/dimensions.ts';
import type { Connection, Handshake, Scheme } from '../../shared/vocabulary/vocabulary.ts';
import { SCRIPT_SOURCE } from '../../shared/vocabulary/vocabulary.ts';
import {
  COMPARED_BY_ROLLUPS,
  type ComparedBy,
  countRequests,
  type RequestCounts,
} from '../analysis/summary/likeness.ts';
import type { FoldedCells } from '../analysis/summary/summary-document.ts';
import { type ScenarioFacts, toScenarioFacts, UNKNOWN_FACTS } from '../analysis/tables/scenario-facts.ts';
import {
  countOutside,
  GROUP_SOURCES,
  type GroupSource,
  type OutsideCounts,
  SCENARIO_ORDER,
  type ScenarioGroup,
  toGroupSource,
} from '../analysis/tables/scenario-groups.ts';
import type { ScenarioRows } from '../reductions/scenario-rows.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { aggregateCells, type CollectedCell } from '../storage/passes/collect-cells.ts';
import { collectScenarioRows } from '../storage/passes/collect-scenario-rows.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { GroupedBy, RangeReader } from '../storage/passes/range-reader.ts';
import { mergedAggregate } from '../storage/passes/to-cell-aggregate.ts';
import { foldSmallGroups } from './visibility/fold-small-groups.ts';
import type { Visibility } from './visibility/visibility.ts';

/** Distinguishes scenarios, and users' traffic from probes. */
const BY: readonly AnyDimension[] = ['scheme', 'connection', 'handshake', 'source'];

interface Place {
  readonly scenario: string;
  readonly source: ScenarioGroup['source'];
}

/** The groups of a key's samples: its label, and the scenario that it is a part of. */
function placesOf(
  key: CellKey,
): { readonly label: string; readonly source: Place['source']; readonly names: string[] } | null {
  if (key.source === SCRIPT_SOURCE) return null;
  const sample = {
    scheme: key.scheme as Scheme,
    connection: key.connection as Connection,
    handshake: key.handshake as Handshake,
  };
  const label = toScenarioLabel(sample);
  const scenario = toScenarioLabel({ ...sample, handshake: 'unknown' });
  if (label === null || scenario === null) return null;
  return { label, source: toGroupSource({ source: key.source ?? '' }), names: [...new Set([scenario, label])] };
}

export interface ScenarioGroups {
  readonly groups: readonly ScenarioGroup[];
  readonly outside: OutsideCounts;
  readonly folded: FoldedCells | null;
}

/**
 * Scenarios: times and counts from rollups, the rest from rows.
 *
 * @param pass reads the samples, and is run here; null if they are no longer kept
 */
export async function readScenarios(
  reader: RangeReader,
  pass: RangePass | null,
  filters: GroupedBy['filters'],
  visibility: Visibility,
  unfiltered: RangeReader,
): Promise<ScenarioGroups> {
  const query = { by: BY, filters };
  const { folding } = await foldSmallGroups(visibility, unfiltered, { ...query, partOf: labelId });
  const hidden = folding === null ? null : { ...folding, hidden: true };
  const cells = await aggregateCells(query, reader, hidden);
  const isShown = (key: CellKey) => !folding?.ids.has(groupId(BY.map((dimension) => key[dimension] ?? null)));
  const facts = new Map<string, ScenarioRows>();
  if (pass !== null) {
    const groups = pass.groups(BY, filters);
    const rows = collectScenarioRows(pass, groups);
    await pass.run();
    rows.forEach((own, group) => void facts.set(groupId(Object.values(groups.keys[group] ?? {})), own));
  }
  const { counts, outside } = await requestsOf(reader, query, isShown);
  const found = new Map<string, Place & { readonly cells: CollectedCell[] }>();
  for (const cell of cells) {
    const places = placesOf(cell.key);
    for (const scenario of places?.names ?? []) {
      const source = places?.source ?? 'page';
      const place = found.get(`${scenario} ${source}`) ?? { scenario, source, cells: [] };
      place.cells.push(cell);
      found.set(`${scenario} ${source}`, place);
    }
  }
  const factsOf = (own: readonly CollectedCell[]): ScenarioFacts => {
    if (pass === null) return UNKNOWN_FACTS;
    const found = toScenarioFacts(own.flatMap(({ key }) => facts.get(groupId(Object.values(key))) ?? []));
    // This would count a version that only one browser uses; the question `tls` checks each value.
    return visibility.minGroupSize > 1 ? { ...found, tls: [] } : found;
  };
  const groups = [...found.values()]
    .sort(
      (a, b) =>
        SCENARIO_ORDER.indexOf(a.scenario) - SCENARIO_ORDER.indexOf(b.scenario) ||
        GROUP_SOURCES.indexOf(a.source) - GROUP_SOURCES.indexOf(b.source),
    )
    .map(({ scenario, source, cells: own }) => ({
      scenario,
      source,
      aggregate: mergedAggregate(own),
      facts: factsOf(own),
      counts: counts.get(`${scenario} ${source}`) ?? {},
    }));
  const folded = folding === null ? null : { below: visibility.minGroupSize, shownTogether: false };
  return { groups, outside, folded };
}

interface Requests {
  /** By scenario and source. */
  readonly counts: ReadonlyMap<string, RequestCounts>;
  readonly outside: OutsideCounts;
}

async function requestsOf(
  reader: RangeReader,
  { by, filters }: GroupedBy,
  isShown: (key: CellKey) => boolean,
): Promise<Requests> {
  const pass = reader.pass();
  const kinds = COMPARED_BY_ROLLUPS.map((dimension) => {
    const groups = pass.groups([...by, dimension], filters);
    return { dimension, keys: groups.keys, tally: pass.tally(groups) };
  });
  await pass.run();
  const counts = new Map<string, Partial<Record<ComparedBy, Map<string, number>>>>();
  const outside = new Map<GroupSource, Map<string, number>>();
  for (const { dimension, keys, tally } of kinds) {
    keys.forEach((key, group) => {
      if (!isShown(key)) return;
      const places = placesOf(key);
      // Counted once, not once for each dimension.
      if (places === null && key.source !== SCRIPT_SOURCE && dimension === 'host') {
        countOutside(outside, toGroupSource({ source: key.source ?? '' }), key.connection ?? '', tally(group));
      }
      for (const scenario of places?.names ?? []) {
        const id = `${scenario} ${places?.source}`;
        const own = counts.get(id) ?? {};
        counts.set(id, own);
        countRequests(own, dimension, key[dimension] ?? '', tally(group));
      }
    });
  }
  return { counts, outside };
}

function labelId(key: CellKey): string {
  const places = placesOf(key);
  return places === null ? 'none' : `${places.label} ${places.source}`;
}
