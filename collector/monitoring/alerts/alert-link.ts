import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';
import { RULE_FILTERS } from './read-rule.ts';

const MINUTE_MS = 60_000;

/**
 * The dashboard's view of what a rule saw at `now`, its window and its filters: the page of its host if it has one.
 * @param dashboardUrl null if the settings have none, and so null for the link
 */
export function alertLink(rule: AlertRule, dashboardUrl: string | null, now: number): string | null {
  if (dashboardUrl === null) return null;
  const { windowMinutes } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const link = new URL(dashboardUrl);
  if (rule.availabilityBelow !== undefined) link.searchParams.set('view', 'probes');
  link.searchParams.set('from', new Date(now - windowMinutes * MINUTE_MS).toISOString());
  link.searchParams.set('to', new Date(now).toISOString());
  // The page of a host takes its types apart itself.
  const ofHost = rule.availabilityBelow === undefined && rule.host !== undefined;
  for (const name of RULE_FILTERS) {
    const value = rule[name];
    const parameter = ofHost && name === 'host' ? 'page' : ofHost && name === 'type' ? 'kind' : name;
    if (value !== undefined) link.searchParams.set(parameter, value);
  }
  // Rules about times read no probes.
  if (rule.availabilityBelow === undefined) link.searchParams.set('source', 'page');
  return link.href;
}
