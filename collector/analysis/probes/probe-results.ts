import { Type } from 'typebox';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { SCENARIOS } from '../../../shared/vocabulary/vocabulary.ts';
import type { RunScenario } from '../../../shared/wire/browser-status.ts';
import {
  type AnswerOf,
  Count,
  Counts,
  each,
  MonthOfBrowsers,
  object,
  orNull,
  pair,
  shape,
  TimeStatisticsSchema,
  words,
} from '../answer-schema.ts';
import { OVERHEAD_REASONS } from '../summary/summary-document.ts';
import type { SequenceRatio } from './sequence-ratios.ts';

// Pages import the types alone: TypeBox is not for browsers.

const MaybeText = orNull(Type.String());
const Added = orNull(each(['ms', 'ratio'], orNull(Type.Number())));

const PathScenario = object({
  scenario: words(SCENARIOS),
  /** How browsers made its connections, if reported. */
  methods: Type.Array(Type.String()),
  /** Without warm-up. */
  runs: Count,
  kept: Count,
  browsers: Count,
  browsersMonth: MonthOfBrowsers,
  /** Runs that were not kept, by reason. */
  discarded: Counts,
  /** Probe runs that could not measure the scenario, by reason. */
  unavailable: Counts,
  /** ttlb of the kept runs, ms. */
  probes: orNull(TimeStatisticsSchema),
  /**
   * ttlb of users' requests in the same scenario, ms: of all kinds and sizes, so not directly comparable with the
   * probe's single resource.
   */
  users: orNull(TimeStatisticsSchema),
});
export type PathScenario = AnswerOf<typeof PathScenario>;

/** Real users' requests to the same host from the same site. */
const PathUsers = object({
  /** On new and reused connections. */
  requests: Count,
  /** Share of them that reused a connection, 0…1; null if there are none. */
  reuse: orNull(Type.Number({ minimum: 0, maximum: 1 })),
});
export type PathUsers = AnswerOf<typeof PathUsers>;

/** One target's host, seen from one site: what probes measured, next to what users got. */
export const ProbePath = object({
  target: Type.String(),
  /** null if the browsers have no label. */
  site: MaybeText,
  host: Type.String(),
  /** Those of the four scenarios that were tried or that users had, in the order of the probe sequence. */
  scenarios: Type.Array(PathScenario),
  /** What each scenario adds over its baseline, by the probes alone. */
  ratios: Type.Array(
    shape<SequenceRatio>({
      scenario: Type.String(),
      baseline: MaybeText,
      median: Added,
      mean: Added,
      reason: orNull(words(OVERHEAD_REASONS)),
      medianInterval: orNull(pair),
    }),
  ),
  users: PathUsers,
  sentence: Type.String(),
});
export type ProbePath = AnswerOf<typeof ProbePath>;

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
export const Availability = object({
  stepSeconds: Count,
  /** Where each step begins, epoch ms. */
  steps: Type.Array(Type.Number()),
  rows: Type.Array(
    object({
      target: Type.String(),
      site: MaybeText,
      host: Type.String(),
      /** null if nothing was requested. */
      cells: Type.Array(orNull(each(['up', 'down'], Count))),
    }),
  ),
});
export type Availability = AnswerOf<typeof Availability>;
