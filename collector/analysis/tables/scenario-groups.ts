import type { StoredSample } from '../../../shared/sample/sample.ts';
import { isImported, LOAD_SOURCE, SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import type { CellAggregate } from '../../reductions/cell-aggregate.ts';
import type { RequestCounts } from '../summary/likeness.ts';
import type { ScenarioFacts } from './scenario-facts.ts';

/** Where requests come from: users, probes, a load or a recording. They answer different questions and are never mixed. */
export const GROUP_SOURCES = ['page', 'probe', 'load', 'import'] as const;
export type GroupSource = (typeof GROUP_SOURCES)[number];

/** Requests in no scenario, because the cost of their connection is unknown, by source and connection class. */
export type OutsideCounts = ReadonlyMap<GroupSource, ReadonlyMap<string, number>>;

/** A scenario as views show it. `https-new-full` and `-resumed` are parts of `https-new`, never added to it. */
export interface ScenarioGroup {
  readonly scenario: string;
  readonly source: GroupSource;
  readonly aggregate: CellAggregate;
  readonly facts: ScenarioFacts;
  readonly counts: RequestCounts;
  /** How long it was measured, s; absent where all groups have the range's length. */
  readonly durationSeconds?: number;
}

export const SCENARIO_ORDER: readonly string[] = [...SCENARIOS, 'https-new-resumed', 'https-new-full'];

export function toGroupSource({ source }: Pick<StoredSample, 'source'>): GroupSource {
  if (source === 'page' || source === LOAD_SOURCE) return source;
  return isImported(source) ? 'import' : 'probe';
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
