import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';

/** One look at what a rule watches. */
export interface Reading {
  /** Milliseconds, or a share for availability; null where too few samples say anything. */
  readonly value: number | null;
  readonly n: number;
}

export interface AlertState {
  readonly on: boolean;
  /** The last verdicts, oldest first: over the threshold, back below it, or in between. */
  readonly verdicts: readonly Verdict[];
  /** When it went on or off last, epoch ms; null before it ever did. */
  readonly since: number | null;
  readonly value: number | null;
  readonly n: number;
  /** Of the last look, epoch ms. */
  readonly at: number | null;
}

/** `between` is neither: within the hysteresis. */
type Verdict = 'over' | 'between' | 'back';

export type AlertChange = 'firing' | 'recovered' | null;

export const QUIET: AlertState = { on: false, verdicts: [], since: null, value: null, n: 0, at: null };

/**
 * One step. It goes on when `breaches` of the last `evaluations` looks were over the threshold, and off when as many were
 * back by the hysteresis. A look at too few samples says nothing, neither way.
 */
export function nextState(
  rule: AlertRule,
  before: AlertState,
  { value, n }: Reading,
  at: number,
): { state: AlertState; change: AlertChange } {
  const { breaches, evaluations } = { ...ALERT_RULE_DEFAULTS, ...rule };
  if (value === null) return { state: { ...before, value, n, at }, change: null };
  const verdicts = [...before.verdicts, verdictOf(rule, value)].slice(-evaluations);
  const wanted = before.on ? 'back' : 'over';
  const turns = verdicts.filter((verdict) => verdict === wanted).length >= breaches;
  if (!turns) return { state: { ...before, verdicts, value, n, at }, change: null };
  return {
    // The looks that turned it on say nothing about going off.
    state: { on: !before.on, verdicts: [], since: at, value, n, at },
    change: before.on ? 'recovered' : 'firing',
  };
}

function verdictOf(rule: AlertRule, value: number): Verdict {
  const { hysteresis = ALERT_RULE_DEFAULTS.hysteresis, aboveMs, availabilityBelow } = rule;
  if (aboveMs !== undefined) {
    if (value > aboveMs) return 'over';
    return value <= aboveMs * (1 - hysteresis) ? 'back' : 'between';
  }
  const limit = availabilityBelow ?? 0;
  if (value < limit) return 'over';
  // Part of the way to "always available", else a limit of 99 % could never be passed by 10 %.
  return value >= limit + (1 - limit) * hysteresis ? 'back' : 'between';
}
