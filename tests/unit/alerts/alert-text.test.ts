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
  expect(say(SLOW).subject).toBe(
    'ERP API slow: the median time to last byte for Order system was 119 ms over the last 24 h, the limit is 50 ms (2,349 requests)',
  );
  expect(say(SLOW, { lang: 'de' }).subject).toBe(
    'ERP API slow: In den letzten 24 h lag der Median der Zeit bis zum letzten Byte für Order system bei 119 ms, die Grenze liegt bei 50 ms (2.349 Anfragen)',
  );
  expect(
    say({ ...SLOW, statistic: 'p95', time: 'tls', windowMinutes: 15 }, { status: 'recovered', value: 8.25, n: 1 })
      .subject,
  ).toBe(
    'ERP API slow has recovered: the 95th percentile of TLS handshake for Order system was 8.3 ms over the last 15 min, the limit is 50 ms (1 request)',
  );
  const down: AlertRule = { id: 'erp-down', availabilityBelow: 0.99 };
  expect(say(down, { value: 0.9725, n: 120 }).subject).toBe(
    'erp-down: the availability was 97.25 % over the last 15 min, the limit is 99 % (120 probe runs)',
  );
  expect(say(down, { value: 0.9725, n: 120, status: 'recovered', lang: 'de' }).subject).toBe(
    'erp-down ist wieder in Ordnung: In den letzten 15 min lag die Verfügbarkeit bei 97,25 %, die Grenze liegt bei 99 % (120 Testabrufe)',
  );
});

test('the sentence names what the rule is limited to; the text adds the host that users waited for, and the link', () => {
  const { subject, text, link } = say({ ...SLOW, host: 'erp.example.com', type: 'fetch' });
  expect(subject).toContain(' for Order system, erp.example.com, data requests was 119 ms');
  expect(text).toBe(`${subject}. ${link}`);
  expect(say({ id: 'u', host: 'xn--mller-kva.example', aboveMs: 1 }).text).toContain(' for müller.example was ');
  const found = alertMessage(SLOW, 'firing', { value: 119, n: 2349, host: 'api.erp.example.com' }, 0, { apps: APPS });
  expect(found.text).toBe(`${found.subject}. Users waited longest for api.erp.example.com.`);
  expect(found).toMatchObject({ host: 'api.erp.example.com', value: 119, threshold: 50, samples: 2349 });
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
