import type { AlertRule } from './alert-settings.ts';

export const DEFAULT_ALERT_SECONDS = 60;

/** Defaults of a rule. Separate from the schema, so that the dashboard's form can show them. */
export const ALERT_RULE_DEFAULTS = {
  time: 'ttlb',
  statistic: 'median',
  windowMinutes: 15,
  minSamples: 30,
  breaches: 3,
  evaluations: 5,
  hysteresis: 0.1,
} as const satisfies Partial<AlertRule>;

/** In place of `minSamples`: a journey may run once an hour, and one run that fails is news. */
export const DEFAULT_MIN_RUNS = 1;
/** The `journey` of a rule that watches each of them. */
export const EACH_JOURNEY = '*';
