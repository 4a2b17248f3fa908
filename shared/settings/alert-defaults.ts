import type { AlertRule } from './alert-settings.ts';

export const DEFAULT_ALERT_SECONDS = 60;

/** What a rule means where it does not say. Apart from the schema, so that the dashboard's form can show it. */
export const ALERT_RULE_DEFAULTS = {
  time: 'ttlb',
  statistic: 'median',
  windowMinutes: 15,
  minSamples: 30,
  breaches: 3,
  evaluations: 5,
  hysteresis: 0.1,
} as const satisfies Partial<AlertRule>;
