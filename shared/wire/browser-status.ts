import type { ProbeMethod, StepReason, UnavailableReason } from '../vocabulary/probe-words.ts';
import type { Scenario } from '../vocabulary/vocabulary.ts';
import type { OtherWord } from './status-words.ts';

/** The closed list of what a browser may be. `degraded`: the user has not allowed all targets. */
export const BROWSER_STATES = ['degraded', 'collecting'] as const;
export type BrowserState = (typeof BROWSER_STATES)[number];

/** Why a turn of a probe was left out. */
export const SKIP_REASONS = ['not_idle', 'on_battery', 'power_unknown', 'budget'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** The field `status` of a batch: how the browser that sends it is doing. docs/wire-format.md has every field. */
export interface BrowserStatus {
  readonly state: BrowserState;
  /** Rows that wait in the browser, those of this batch included. */
  readonly waiting: number;
  /**
   * Since it was installed: rows that never left it, rows the collector refused, entries that never became samples. By the
   * words of status-words.ts, any other under `(other)`.
   */
  readonly dropped: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  readonly lost: Readonly<Record<string, number>>;
  /** What became of the probes since the last status that was acknowledged. */
  readonly turns: readonly ProbeRun[];
}

export interface ProbeRun {
  /** Id of the probe in the settings. */
  readonly probe: string;
  /** Id of its target. */
  readonly target: string;
  /** Epoch ms. */
  readonly at: number;
  /** null where it was run. */
  readonly skipped: SkipReason | OtherWord | null;
  /** Of a ladder; empty for a script. */
  readonly scenarios: readonly RunScenario[];
  /** Of a script: what became of each step that was tried, null where it was done; empty for a ladder. */
  readonly steps: readonly (StepReason | OtherWord | null)[];
}

export interface RunScenario {
  readonly scenario: Scenario;
  readonly method: ProbeMethod | OtherWord | null;
  readonly kept: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly unavailable: UnavailableReason | OtherWord | null;
}
