import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';

/** The watched value at one evaluation of a rule. */
export interface Reading {
  /** Milliseconds, or a ratio for availability; null with too few samples. */
  readonly value: number | null;
  readonly n: number;
}

export interface AlertState {
  readonly on: boolean;
  /** The last verdicts, oldest first. */
  readonly verdicts: readonly Verdict[];
  /** When it was last turned on or off, epoch ms; null before the first change. */
  readonly since: number | null;
  readonly value: number | null;
  readonly n: number;
  /** Time of the last evaluation, epoch ms. */
  readonly at: number | null;
}

/** Over the threshold, back from it, or in between: within the hysteresis. */
type Verdict = 'over' | 'between' | 'back';

export type AlertChange = 'firing' | 'recovered' | null;

export const QUIET: AlertState = { on: false, verdicts: [], since: null, value: null, n: 0, at: null };

/**
 * One evaluation. The alert turns on when `breaches` of the last `evaluations` were over the threshold, and off when as
 * many had recovered by the hysteresis. An evaluation with too few samples does not count.
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
  const changes = verdicts.filter((verdict) => verdict === wanted).length >= breaches;
  if (!changes) return { state: { ...before, verdicts, value, n, at }, change: null };
  return {
    // The evaluations that turned it on do not count for turning it off.
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
  // A fraction of the way to 100 %, because a limit of 99 % could never be exceeded by 10 %.
  return value >= limit + (1 - limit) * hysteresis ? 'back' : 'between';
}
