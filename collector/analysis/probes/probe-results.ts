import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import type { RunScenario } from '../../../shared/wire/browser-status.ts';
import type { SequenceRatio } from './sequence-ratios.ts';

/** One target's host, seen from one site: what probes measured, next to what users got. */
export interface ProbePath {
  readonly target: string;
  /** null if the browsers have no label. */
  readonly site: string | null;
  readonly host: string;
  /** Those of the four scenarios that were tried or that users had, in the order of the probe sequence. */
  readonly scenarios: readonly PathScenario[];
  /** What each scenario adds over its baseline, by the probes alone. */
  readonly ratios: readonly SequenceRatio[];
  readonly users: PathUsers;
  readonly sentence: string;
}

export interface PathScenario {
  readonly scenario: Scenario;
  /** How browsers made its connections, if reported. */
  readonly methods: readonly string[];
  /** Without warm-up. */
  readonly runs: number;
  readonly kept: number;
  readonly browsers: number;
  /** See BrowserCount. */
  readonly browsersMonth?: string;
  /** Runs that were not kept, by reason. */
  readonly discarded: Readonly<Record<string, number>>;
  /** Probe runs that could not measure the scenario, by reason. */
  readonly unavailable: Readonly<Record<string, number>>;
  /** ttlb of the kept runs, ms. */
  readonly probes: TimeStatistics | null;
  /**
   * ttlb of users' requests in the same scenario, ms: of all kinds and sizes, so not directly comparable with the
   * probe's single resource.
   */
  readonly users: TimeStatistics | null;
}

/** Real users' requests to the same host from the same site. */
export interface PathUsers {
  /** On new and reused connections. */
  readonly requests: number;
  /** Share of them that reused a connection, 0…1; null if there are none. */
  readonly reuse: number | null;
}

/** Users' requests of one scenario: a cell of the summary of pages. */
export interface UsersOfScenario {
  readonly target: string;
  readonly site: string | null;
  readonly host: string;
  readonly scenario: string | null;
  readonly reused: number;
  readonly fresh: number;
  readonly ttlb: TimeStatistics | null;
}

/** A probe run that tried scenarios, and its host. */
export interface SequenceRun {
  readonly target: string;
  readonly site: string;
  readonly host: string;
  readonly scenarios: readonly RunScenario[];
}

/** Whether a target was reachable in each step of a range. */
export interface Availability {
  readonly stepSeconds: number;
  /** Where each step begins, epoch ms. */
  readonly steps: readonly number[];
  readonly rows: readonly AvailabilityRow[];
}

export interface AvailabilityRow {
  readonly target: string;
  readonly site: string | null;
  readonly host: string;
  /** null if nothing was requested. */
  readonly cells: readonly ({ readonly up: number; readonly down: number } | null)[];
}
