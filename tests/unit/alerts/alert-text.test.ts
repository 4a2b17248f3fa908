import { expect, test } from 'vitest';
import { alertMessage } from '../../../collector/monitoring/alerts/alert-text.ts';
import type { AlertRule } from '../../../shared/settings/alert-settings.ts';

const APPS = new Map([['erp', 'Order system']]);
const SLOW: AlertRule = { id: 'erp-slow', name: 'ERP API slow', target: 'erp', aboveMs: 50, windowMinutes: 1440 };

function say(rule: AlertRule, { status = 'firing', value = 119, n = 2349, lang = 'en' }: Partial<Said> = {}) {
  const dashboardUrl = 'https://lastbyte.example.com/';
  return alertMessage(rule, status, { value, n }, 0, { apps: APPS, lang, dashboardUrl });
}

interface Said {
  readonly status: 'firing' | 'recovered';
  readonly value: number;
  readonly n: number;
  readonly lang: 'en' | 'de';
}

test('the subject is one sentence with name, number, limit, window and requests', () => {
  expect(say(SLOW).subject).toBe('ERP API slow: median time to last byte 119 ms, limit 50 ms (24 h, 2,349 requests)');
  expect(say(SLOW, { lang: 'de' }).subject).toBe(
    'ERP API slow: Median der Zeit bis zum letzten Byte 119 ms, Grenze 50 ms (24 h, 2.349 Anfragen)',
  );
  expect(
    say({ ...SLOW, statistic: 'p95', time: 'tls', windowMinutes: 15 }, { status: 'recovered', value: 8.25, n: 1 })
      .subject,
  ).toBe('ERP API slow has recovered: 95th percentile of TLS handshake 8.3 ms, limit 50 ms (15 min, 1 request)');
  const down: AlertRule = { id: 'erp-down', availabilityBelow: 0.99 };
  expect(say(down, { value: 0.9725, n: 120 }).subject).toBe(
    'erp-down: availability 97.25 %, limit 99 % (15 min, 120 probe runs)',
  );
  expect(say(down, { value: 0.9725, n: 120, status: 'recovered', lang: 'de' }).subject).toBe(
    'erp-down ist wieder in Ordnung: Verfügbarkeit 97,25 %, Grenze 99 % (15 min, 120 Testabrufe)',
  );
});

test('the text adds what the rule is limited to, by its name', () => {
  const { subject, text } = say({ ...SLOW, host: 'erp.example.com', type: 'fetch' });
  expect(text).toBe(`${subject}. Only Order system, erp.example.com, data requests.`);
  expect(say({ ...SLOW, type: 'fetch' }, { lang: 'de' }).text).toMatch(/\. Nur Order system, Datenabfragen\.$/);
  expect(say({ id: 'u', host: 'xn--mller-kva.example', aboveMs: 1 }).text).toMatch(/Only müller\.example\.$/);
  expect(say({ id: 'all', aboveMs: 1 }).text).toMatch(/requests\)\.$/);
});

test('the link opens the page of the host, or else the overview with the filters', () => {
  const query = (rule: AlertRule) => Object.fromEntries(new URL(say(rule).link ?? '').searchParams);
  const window = { from: '1969-12-31T00:00:00.000Z', to: '1970-01-01T00:00:00.000Z', source: 'page', target: 'erp' };
  expect(query(SLOW)).toEqual(window);
  expect(query({ ...SLOW, host: 'erp.example.com', type: 'fetch' })).toEqual({
    ...window,
    page: 'erp.example.com',
    kind: 'fetch',
  });
});
