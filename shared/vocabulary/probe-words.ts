import type { Scenario } from './vocabulary.ts';

/** How a run got its connection. */
export type ProbeMethod =
  /** The connection of the run before. */
  | 'keep_alive'
  /** Idle connections were ended by requests with `Connection: close`; the run itself is an ordinary request. */
  | 'close_header'
  /** A frame with a network partition of its own in a fresh offscreen document (Chromium). */
  | 'credentialless_frame'
  /** A host name never asked for before, below the target's own. */
  | 'fresh_subdomain'
  /** Silence until the server has ended its idle connections. */
  | 'idle_wait';

/** Why a run was made but not kept. Each run that is not kept has exactly one. */
export type DiscardReason =
  /** No answer within the time limit. */
  | 'timeout'
  /** The browser failed with a code of its own, such as `error:net::ERR_CONNECTION_REFUSED`. */
  | `error:${string}`
  /** No entry: the browser told nothing about the request. */
  | 'no_entry'
  /** Another scheme answered: a redirect to https, or the browser's HSTS list. */
  | 'https_upgrade'
  /** Another address answered. */
  | 'redirected'
  | `status_${number}`
  /** The answer came from a cache or a worker, or its stamps were hidden or out of order. */
  | 'cache'
  | 'opaque'
  | 'worker'
  | 'invalid'
  /** Whether the connection was new is less than the browser's clock can tell. */
  | 'below_clock_step'
  /** A new connection was asked for and an old one was used. */
  | 'not_new'
  | 'not_reused'
  /** The body differs from the first one by more than `MAX_SIZE_CHANGE`: something else was measured. */
  | 'size_changed';

/** Why a scenario was not tried, or given up. */
export type UnavailableReason =
  /** Nothing known makes a new connection with this browser and protocol. */
  | 'no_method_for_protocol'
  /** The extension may not reach this address. */
  | 'no_permission'
  /** Every warm-up request ended this way. */
  | DiscardReason;

export interface ScenarioOutcome {
  readonly scenario: Scenario;
  /** null where the scenario is unavailable. */
  readonly method: ProbeMethod | null;
  readonly kept: number;
  readonly discarded: Readonly<Record<string, number>>;
  readonly unavailable: UnavailableReason | null;
}

export interface SequenceReport {
  /** Id of the probe. */
  readonly probe: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Everything that was asked of the target, warm-up and preparation included. */
  readonly requests: number;
  readonly scenarios: readonly ScenarioOutcome[];
  /** Why it ended before all repetitions; null where it did not. */
  readonly stopped: 'budget' | 'switched_off' | null;
}

/** Why a step of a script could not be done. */
export type StepReason =
  | DiscardReason
  | 'no_permission'
  /** Another status than the step expects. */
  | 'unexpected_status'
  /** The text that the step expects is not in the body. */
  | 'text_missing';

export interface StepOutcome {
  readonly url: string;
  readonly ok: boolean;
  /** null where it is. */
  readonly reason: StepReason | null;
}

export interface ScriptReport {
  readonly probe: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly requests: number;
  /** The steps that were tried; the first that cannot be done is the last. */
  readonly steps: readonly StepOutcome[];
  readonly stopped: 'switched_off' | null;
}
