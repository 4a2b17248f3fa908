import { expect, test } from 'vitest';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];
const HOOK = { id: 'chat', url: 'https://hooks.example.com/x' };

function problems(alerts: unknown): string[] {
  const verdict = validateSettings({ version: 1, targets: TARGETS, alerts });
  return verdict.ok ? [] : verdict.problems.map(({ path, message }) => `${path} ${message}`);
}

test('a whole document is valid', () => {
  expect(
    problems({
      everySeconds: 30,
      webhooks: [HOOK, { id: 'pager', urlFrom: { env: 'PAGER_URL' }, bearerFrom: { file: '/run/secrets/pager' } }],
      rules: [
        {
          id: 'slow',
          target: 'erp',
          type: 'document',
          time: 'tls',
          statistic: 'p95',
          aboveMs: 200,
          webhooks: ['chat'],
        },
        { id: 'down', target: 'erp', availabilityBelow: 0.99 },
      ],
    }),
  ).toEqual([]);
});

test('a rule that sends mail needs a mail server', () => {
  const alerts = { webhooks: [], rules: [{ id: 'a', aboveMs: 1, mailTo: ['it@example.com'] }] };
  expect(problems(alerts)).toEqual(['/alerts/rules/0/mailTo there is no mail server in the settings']);
  const mail = { host: 'mail.example.com', from: 'lastbyte@example.com' };
  const reports = { mail, schedule: [] };
  expect(validateSettings({ version: 1, targets: [], alerts, reports })).toMatchObject({ ok: true });
  const badly = { ...alerts, rules: [{ id: 'a', aboveMs: 1, mailTo: ['no address'] }] };
  expect(validateSettings({ version: 1, targets: [], alerts: badly, reports })).toMatchObject({ ok: false });
});

test.each([
  ['ftp://x.example.com/', 'is not an http or https address'],
  ['https://me:pw@x.example.com/', 'contains a password'],
  ['https://x.example.com/?a=1', 'has a query or a fragment'],
  ['https://x.example.com/#token=1', 'has a query or a fragment'],
])('the dashboard at %s %s', (dashboardUrl, message) => {
  expect(problems({ webhooks: [], rules: [], dashboardUrl })).toEqual([`/alerts/dashboardUrl ${message}`]);
});

test.each([
  [{ webhooks: [{ id: 'chat' }], rules: [] }, '/alerts/webhooks/0 needs either url or urlFrom'],
  [{ webhooks: [{ ...HOOK, urlFrom: { env: 'X' } }], rules: [] }, '/alerts/webhooks/0 needs either url or urlFrom'],
  [
    { webhooks: [{ id: 'chat', url: 'file:///etc/passwd' }], rules: [] },
    '/alerts/webhooks/0/url is not an http or https address',
  ],
  [
    { webhooks: [{ id: 'chat', url: 'https://me:pw@example.com/' }], rules: [] },
    '/alerts/webhooks/0/url contains a password',
  ],
  [{ webhooks: [HOOK, HOOK], rules: [] }, '/alerts/webhooks/1/id the id chat is used twice'],
  [{ webhooks: [], rules: [{ id: 'a' }] }, '/alerts/rules/0 needs either aboveMs or availabilityBelow'],
  [
    { webhooks: [], rules: [{ id: 'a', aboveMs: 1, webhooks: ['x'] }] },
    '/alerts/rules/0/webhooks there is no webhook x',
  ],
  [{ webhooks: [], rules: [{ id: 'a', aboveMs: 1, target: 'crm' }] }, '/alerts/rules/0/target there is no target crm'],
  [{ webhooks: [], rules: [{ id: 'a', aboveMs: 1, breaches: 6 }] }, '/alerts/rules/0/breaches 6 of 5 is impossible'],
])('%j is refused', (alerts, problem) => {
  expect(problems(alerts)).toContain(problem);
});

test('a secret written into a reference is refused', () => {
  const both = { webhooks: [{ ...HOOK, bearerFrom: { env: 'A', file: '/b' } }], rules: [] };
  expect(problems(both)).not.toEqual([]);
  expect(problems({ webhooks: [{ ...HOOK, bearerFrom: 'secret' }], rules: [] })).not.toEqual([]);
});

test.each([
  [{ journey: 'order', availabilityBelow: 0.9, target: 'erp', site: 'Porto', eachSite: true }, []],
  [{ journey: '*', availabilityBelow: 0.9 }, []],
  [{ journey: 'logo', availabilityBelow: 0.9 }, ['/alerts/rules/0/journey there is no journey logo']],
  [
    { journey: 'order', aboveMs: 9, host: 'a.example' },
    ['/alerts/rules/0 aboveMs, host cannot be asked of a journey, which is up or down'],
  ],
  [{ eachSite: true, availabilityBelow: 0.9 }, ['/alerts/rules/0 eachSite needs a journey']],
])('of a journey, availability, app and sites may be watched: %j', (rule, expected) => {
  const schedule = [
    { id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 },
    { id: 'order', target: 'erp', steps: [{ url: 'https://erp.example.com/' }], everyMinutes: 60 },
  ];
  const alerts = { webhooks: [], rules: [{ id: 'a', ...rule }] };
  const verdict = validateSettings({ version: 1, targets: TARGETS, probes: { enabled: true, schedule }, alerts });
  expect(verdict.ok ? [] : verdict.problems.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
});
