import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule, AlertSettings } from '../../../shared/settings/alert-settings.ts';
import { type NamesOfApps, NO_APP_NAMES } from '../../../shared/settings/app-names.ts';
import { alertLink } from './alert-link.ts';
import type { AlertMessage } from './alert-memory.ts';
import type { Reading } from './alert-state.ts';
import { type AlertWords, alertWords } from './alert-words.ts';
import { RULE_FILTERS } from './read-rule.ts';

/** What messages need from the settings besides their rule. */
export interface MessageSettings extends Pick<AlertSettings, 'lang' | 'dashboardUrl'> {
  /** Names of apps by target id. */
  readonly apps?: NamesOfApps;
}

/** The message about a rule's change. @param now epoch ms */
export function alertMessage(
  rule: AlertRule,
  status: 'firing' | 'recovered',
  { value, n }: Reading,
  now: number,
  { lang, dashboardUrl, apps = NO_APP_NAMES }: MessageSettings = {},
): AlertMessage {
  return {
    status,
    rule: rule.id,
    text: alertText(rule, status, { value, n }, alertWords(lang), apps),
    value,
    threshold: rule.aboveMs ?? rule.availabilityBelow ?? null,
    samples: n,
    at: new Date(now).toISOString(),
    ...linkOf(alertLink(rule, dashboardUrl ?? null, now)),
  };
}

export function testMessage(now: number, { lang, dashboardUrl }: MessageSettings = {}): AlertMessage {
  return {
    status: 'test',
    rule: 'test',
    text: alertWords(lang).test,
    value: null,
    threshold: null,
    samples: 0,
    at: new Date(now).toISOString(),
    ...linkOf(dashboardUrl ?? null),
  };
}

function linkOf(link: string | null): Pick<AlertMessage, 'link' | 'linkMissing'> {
  return link === null ? { link, linkMissing: 'no_dashboard_url' } : { link };
}

function alertText(
  rule: AlertRule,
  status: 'firing' | 'recovered',
  { value, n }: Reading,
  words: AlertWords,
  apps: NamesOfApps,
): string {
  const { windowMinutes, time, statistic } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const named = RULE_FILTERS.flatMap((name) => {
    const value = rule[name];
    if (value === undefined) return [];
    return [name === 'target' ? (apps.get(value) ?? value) : value];
  });
  const where = named.join(', ') || words.everything;
  const window = words.window(windowMinutes, n);
  const opening = `Lastbyte ${rule.name ?? rule.id}:${status === 'firing' ? '' : ` ${words.recovered}`}`;
  if (rule.availabilityBelow !== undefined) {
    const measured = value === null ? words.unknown : words.percent(value);
    return `${opening} ${words.availability(where, measured, words.percent(rule.availabilityBelow), window)}`;
  }
  const measured = value === null ? words.unknown : words.ms(value);
  const threshold = rule.aboveMs === undefined ? words.unknown : words.ms(rule.aboveMs);
  return `${opening} ${words.time(statistic, time, where, measured, threshold, window)}`;
}
