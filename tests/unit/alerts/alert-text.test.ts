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

test('a rule about journeys names them; a text names three that failed, the link the one that is watched', () => {
  const rule: AlertRule = { id: 'down', journey: 'order', eachSite: true, availabilityBelow: 0.99 };
  const failed = { at: '2026-03-01T11:00:00.000Z', step: 2, reason: 'status_503', broke: null };
  const result = {
    journey: 'order',
    target: 'erp',
    up: 1,
    down: 1,
    over: 1,
    light: null,
    median: null,
    steps: [],
    failed,
  };
  const broken = { ...failed, since: '2026-03-01T10:00:00.000Z', runs: 2 };
  const journeys = [
    { ...result, site: 'Porto', broken },
    ...['Lyon', null, 'Berlin', 'Rom'].map((site) => ({ ...result, site, broken: null })),
  ];
  const names = { apps: APPS, journeys: new Map([['order', 'Place an order']]) };
  const say = (lang: 'en' | 'de') => {
    const how = { ...names, lang, dashboardUrl: 'https://lastbyte.example.com/' };
    const message = alertMessage(rule, 'firing', { value: 0.5, n: 2, journeys }, 0, how);
    return { ...message, text: message.text.replace(message.link ?? '', '').trim() };
  };
  expect(say('en').text).toBe(
    'down: the availability for Place an order, the worst site was 50 % over the last 15 min, the limit is 99 % (2 probe runs). Place an order (Order system, Porto) has been down since 2026-03-01 10:00 UTC, step 2: status 503. Place an order (Order system, Lyon) last failed at 2026-03-01 11:00 UTC, step 2: status 503. Place an order (Order system) last failed at 2026-03-01 11:00 UTC, step 2: status 503. 2 more failed.',
  );
  expect(say('de').text).toContain(
    'für Place an order, den schlechtesten Standort bei 50 %, die Grenze liegt bei 99 % (2 Testabrufe). Place an order (Order system, Porto) ist seit 2026-03-01 10:00 UTC gestört, Schritt 2: Status 503. ',
  );
  expect(say('en').journeys).toHaveLength(5);
  expect(Object.fromEntries(new URL(say('en').link ?? '').searchParams)).toMatchObject({
    view: 'probes',
    journey: 'order',
  });
});

test('what broke a recording and what it looked for is told in words of each language, the page in JSON alone', () => {
  const page = {
    ...{ title: 'Orders', url: 'https://erp.test/', status: 200, consoleErrors: 1, failedRequests: 0 },
    nearest: [{ role: 'button', name: 'Save order' }],
  };
  const what = { step: 3, reason: 'element_not_found' as const };
  const broke = { ...what, detail: null, lookedFor: ['aria/Save', '<!channel>'], page };
  const failed = { ...what, at: '2026-03-01T11:00:00.000Z', broke };
  const counts = { up: 0, down: 1, over: 1, light: null, median: null, steps: [] };
  const journeys = [{ journey: 'order', target: 'erp', site: 'Porto', ...counts, failed, broken: null }];
  const rule: AlertRule = { id: 'down', journey: 'order', availabilityBelow: 0.99 };
  const messageIn = (lang: 'en' | 'de') => alertMessage(rule, 'firing', { value: 0, n: 1, journeys }, 0, { lang });
  expect(messageIn('en').text).toMatch(/, step 3: the page has no such element; looked for aria\/Save, ‹!channel>\.$/);
  expect(messageIn('de').text).toMatch(
    /, Schritt 3: das Element gibt es auf der Seite nicht; gesucht: aria\/Save, ‹!channel>\.$/,
  );
  expect(messageIn('en').journeys?.[0]?.failed?.broke?.page).toEqual(page);
});
