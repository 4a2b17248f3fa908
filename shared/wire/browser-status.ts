import type { Breakage } from '../journeys/breakage.ts';
import type { ProbeMethod, StepReason, UnavailableReason } from '../vocabulary/probe-words.ts';
import type { Scenario } from '../vocabulary/vocabulary.ts';
import type { OtherWord } from './status-words.ts';

/** States of a browser. `degraded`: the user has not allowed all targets. */
export const BROWSER_STATES = ['degraded', 'collecting'] as const;
export type BrowserState = (typeof BROWSER_STATES)[number];

/** Why a run of a probe was skipped. */
export const SKIP_REASONS = [
  'not_idle',
  'on_battery',
  'power_unknown',
  'budget',
  'text_with_cookies',
  'not_robot',
  'no_variable',
  'no_permission',
  'switched_off',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The field `status` of a batch: the state of the browser that sends it. docs/wire-format.md describes every field. */
export interface BrowserStatus {
  readonly state: BrowserState;
  /** Rows queued in the browser, including those of this batch. */
  readonly waiting: number;
  /**
   * Since installation: rows that never left the browser, rows the collector refused, entries that never became samples. By
   * the reasons in status-words.ts, any other as `(other)`.
   */
  readonly dropped: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  readonly lost: Readonly<Record<string, number>>;
  /** Values that samples leave out because they cannot be right, by the code of the value. Absent in older extensions. */
  readonly ignored?: Readonly<Record<string, number>>;
  /** The probe runs since the last acknowledged status. */
  readonly turns: readonly ProbeRun[];
}

export interface ProbeRun {
  /** Id of the probe in the settings. */
  readonly probe: string;
  /** Id of its target. */
  readonly target: string;
  /** Epoch ms. */
  readonly at: number;
  /** null if it ran. */
  readonly skipped: SkipReason | OtherWord | null;
  /** Outcomes of a probe sequence; empty for a script. */
  readonly scenarios: readonly RunScenario[];
  /** For a script, the failure of each step tried, null if it succeeded; empty for a probe sequence. */
  readonly steps: readonly (StepReason | OtherWord | null)[];
  /** How long each of these steps took, µs; null where it failed. Absent in older extensions. */
  readonly stepTimes?: readonly (number | null)[];
  /** What a robot's recording needed and what the page had instead; absent unless a step of one broke. */
  readonly broke?: Breakage;
}

export interface RunScenario {
  readonly scenario: Scenario;
  readonly method: ProbeMethod | OtherWord | null;
  readonly kept: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly unavailable: UnavailableReason | OtherWord | null;
}
