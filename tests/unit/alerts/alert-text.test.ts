import { expect, test } from 'vitest';
import { alertMessage } from '../../../collector/monitoring/alerts/alert-text.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';

const APPS = new Map([['erp', 'Order system']]);

function say(rule: AlertRule): string {
  return alertMessage(rule, 'firing', { value: 900, n: 50 }, 0, { apps: APPS }).text;
}

test('a message calls rule and app by their names', () => {
  const rule = { id: 'erp-slow', name: 'Orders are slow', target: 'erp', host: 'erp.example.com', aboveMs: 500 };
  expect(say(rule)).toMatch(/^Lastbyte Orders are slow: median ttlb of Order system, erp\.example\.com is 900 ms/);
});

test('without names, by their ids', () => {
  expect(say({ id: 'old-slow', target: 'old', aboveMs: 500 })).toMatch(/^Lastbyte old-slow: median ttlb of old is/);
});
