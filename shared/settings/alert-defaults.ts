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
