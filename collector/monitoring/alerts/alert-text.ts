import { ALERT_RULE_DEFAULTS } from '../../../shared/settings/alert-defaults.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';
import type { AlertMessage } from './alert-memory.ts';
import type { Reading } from './alert-state.ts';

/** The message about a rule's change. @param now epoch ms */
export function alertMessage(
  rule: AlertRule,
  status: 'firing' | 'recovered',
  { value, n }: Reading,
  now: number,
): AlertMessage {
  return {
    status,
    rule: rule.id,
    text: alertText(rule, status, { value, n }),
    value,
    threshold: rule.aboveMs ?? rule.availabilityBelow ?? null,
    samples: n,
    at: new Date(now).toISOString(),
  };
}

export function testMessage(now: number): AlertMessage {
  return {
    status: 'test',
    rule: 'test',
    text: 'Lastbyte: this is a test. Alerts will arrive here.',
    value: null,
    threshold: null,
    samples: 0,
    at: new Date(now).toISOString(),
  };
}

function alertText(rule: AlertRule, status: 'firing' | 'recovered', { value, n }: Reading): string {
  const { windowMinutes, time, statistic } = { ...ALERT_RULE_DEFAULTS, ...rule };
  const filters = ['target', 'host', 'type', 'connection', 'scenario', 'site'] as const;
  const where = filters.flatMap((name) => (rule[name] === undefined ? [] : [rule[name]])).join(', ') || 'everything';
  const window = `last ${windowMinutes} min, ${n} samples`;
  const state = status === 'firing' ? '' : ' recovered,';
  if (rule.availabilityBelow !== undefined) {
    const limit = `${percent(rule.availabilityBelow)} wanted`;
    return `Lastbyte ${rule.id}:${state} availability of ${where} is ${percent(value)} (${limit}; ${window}).`;
  }
  const measured = value === null ? 'unknown' : `${round(value)} ms`;
  return `Lastbyte ${rule.id}:${state} ${statistic} ${time} of ${where} is ${measured} (threshold ${rule.aboveMs} ms; ${window}).`;
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${round(share * 100)} %`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
