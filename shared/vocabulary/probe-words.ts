import type { BreakReason } from './break-reasons.ts';
import type { Scenario } from './vocabulary.ts';

/** How a probe's request got its connection. */
export type ProbeMethod =
  /** The connection of the previous request. */
  | 'keep_alive'
  /** Requests with `Connection: close` ended the idle connections; the request itself is an ordinary one. */
  | 'close_header'
  /** A frame with its own network partition in a fresh offscreen document (Chromium). */
  | 'credentialless_frame'
  /** A host name never requested before, below the target's own. */
  | 'fresh_subdomain'
  /** Silence until the server has closed its idle connections. */
  | 'idle_wait';

/** Why a request was made but not kept. Each discarded request has exactly one reason. */
export type DiscardReason =
  /** No response within the time limit. */
  | 'timeout'
  /** The browser failed with its own code, such as `error:net::ERR_CONNECTION_REFUSED`. */
  | `error:${string}`
  /** The browser produced no entry for the request. */
  | 'no_entry'
  /** Another scheme responded: a redirect to https, or the browser's HSTS list. */
  | 'https_upgrade'
  /** Another address responded. */
  | 'redirected'
  | `status_${number}`
  /** The response came from a cache or a worker, or its stamps were hidden or out of order. */
  | 'cache'
  | 'opaque'
  | 'worker'
  | 'invalid'
  /** Whether the connection was new is below the resolution of the browser's clock. */
  | 'below_clock_step'
  /** A new connection was wanted and an old one was used. */
  | 'not_new'
  | 'not_reused'
  /** The body differs from the first one by more than `MAX_SIZE_CHANGE`: something else was measured. */
  | 'size_changed';

/** Why a scenario was not tried, or was given up. */
export type UnavailableReason =
  /** No known method makes a new connection with this browser and protocol. */
  | 'no_method_for_protocol'
  /** The extension may not access this address. */
  | 'no_permission'
  /** Every warm-up request ended this way. */
  | DiscardReason;

export interface ScenarioOutcome {
  readonly scenario: Scenario;
  /** null if the scenario is unavailable. */
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
  /** All requests to the target, including warm-up and preparation. */
  readonly requests: number;
  readonly scenarios: readonly ScenarioOutcome[];
  /** Why it ended before all repetitions; null if it did not. */
  readonly stopped: 'budget' | 'switched_off' | null;
}

/** Why a step of a script failed. */
export type StepReason =
  | DiscardReason
  | 'no_permission'
  /** A status other than the one the step expects. */
  | 'unexpected_status'
  /** The body lacks the text that the step expects. */
  | 'text_missing'
  /** A recording's step, replayed by a robot. */
  | BreakReason;

export interface StepOutcome {
  readonly url: string;
  readonly ok: boolean;
  /** null if `ok`. */
  readonly reason: StepReason | null;
  /** To the last byte, µs; null if it failed. */
  readonly time: number | null;
}

export interface ScriptReport extends Omit<SequenceReport, 'scenarios' | 'stopped'> {
  /** The steps that were tried; the first to fail is the last. */
  readonly steps: readonly StepOutcome[];
  readonly stopped: 'switched_off' | null;
}
