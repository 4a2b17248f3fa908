import { expect, test } from 'vitest';
import { areSoundProbes } from '../../../extension/probe/are-sound-probes.ts';
import type { ProbeSettings } from '../../../shared/settings/probe-settings.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { validateNewSettings, validateSettings } from '../../../shared/settings/validate-settings.ts';

const PROBE = { id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 };
const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];

function withProbes(probes: unknown) {
  return { version: 1, targets: TARGETS, probes };
}

test('a schedule within its budget passes and reaches the browsers', () => {
  const probes: ProbeSettings = { enabled: true, schedule: [PROBE] };
  const verdict = validateSettings(withProbes(probes));
  expect(verdict.ok).toBe(true);
  expect(areSoundProbes(probes)).toBe(true);
  if (verdict.ok) expect(toExtensionSettings(verdict.settings, 3).probes).toEqual(probes);
});

test('a schedule over its budget is refused, with the sum and what it is made of', () => {
  const verdict = validateSettings(
    withProbes({ enabled: true, requestsPerHour: 100, schedule: [PROBE, { ...PROBE, id: 'often', everyMinutes: 25 }] }),
  );
  expect(verdict).toMatchObject({ ok: false, problems: [{ path: '/probes' }] });
  if (verdict.ok) return;
  // 5 repetitions × 12 + 2 × 2 warm-ups are 64.
  expect(verdict.problems[0]?.message).toBe(
    'the schedule may take 256 requests per browser and hour (logo 64 × 1 + often 64 × 3), more than the 100 allowed',
  );
});

test.each<[string, unknown]>([
  ['/probes/schedule/0/target', { enabled: true, schedule: [{ ...PROBE, target: 'crm' }] }],
  ['/probes/schedule/1/id', { enabled: true, requestsPerHour: 500, schedule: [PROBE, PROBE] }],
  ['/probes/schedule/0/url', { enabled: true, schedule: [{ ...PROBE, url: 'erp.example.com' }] }],
  ['/probes/schedule/0/otherUrl', { enabled: true, schedule: [{ ...PROBE, otherUrl: 'https://erp.example.com/' }] }],
  ['/probes/requestsPerHour', { enabled: true, requestsPerHour: 1001, schedule: [] }],
  ['/probes/schedule/0/everyMinutes', { enabled: true, schedule: [{ ...PROBE, everyMinutes: 0 }] }],
  ['/probes/schedule/0/share', { enabled: true, schedule: [{ ...PROBE, share: 0 }] }],
  ['/probes', { schedule: [] }],
  ['/probes/schedule/0', { enabled: true, schedule: [{ ...PROBE, steps: [{ url: PROBE.url }] }] }],
  ['/probes/schedule/0', { enabled: true, schedule: [{ id: 'a', target: 'erp', everyMinutes: 60 }] }],
  [
    '/probes/schedule/0/steps/0/url',
    { enabled: true, schedule: [{ id: 'a', target: 'erp', everyMinutes: 60, steps: [{ url: 'erp.example.com' }] }] },
  ],
])('%s is named', (path, probes) => {
  const verdict = validateSettings(withProbes(probes));
  expect(verdict.ok ? [] : verdict.problems.map((problem) => problem.path)).toContain(path);
});

const SCRIPT = { id: 'a', target: 'erp', everyMinutes: 60, steps: [{ url: PROBE.url }] };

/** Each out of the bounds in one place. A collector that is not ours, or no longer, may send any of them. */
test.each<[string, unknown]>([
  ['no list', { enabled: true, schedule: null }],
  ['no probe', { enabled: true, schedule: [null] }],
  ['too many', { enabled: true, schedule: Array.from({ length: 51 }, (_, n) => ({ ...SCRIPT, id: `p${n}` })) }],
  ['neither on nor off', { enabled: 'yes', schedule: [] }],
  ['no number', { enabled: true, requestsPerHour: Number.NaN, schedule: [] }],
  ['a line break for the header', { enabled: true, schedule: [{ ...PROBE, id: 'a\r\nCookie: b' }] }],
  ['no target', { enabled: true, schedule: [{ ...PROBE, target: undefined }] }],
  ['never', { enabled: true, schedule: [{ ...PROBE, everyMinutes: undefined }] }],
  ['all the time', { enabled: true, schedule: [{ ...PROBE, everyMinutes: 0.001 }] }],
  ['too often in a turn', { enabled: true, requestsPerHour: 1000, schedule: [{ ...PROBE, repetitions: 51 }] }],
  ['a wait of years', { enabled: true, schedule: [{ ...PROBE, idleWaitSeconds: 1e9 }] }],
  ['more than the fleet', { enabled: true, schedule: [{ ...PROBE, share: 2 }] }],
  ['sites that are none', { enabled: true, schedule: [{ ...PROBE, sites: 'Berlin' }] }],
  ['a flag that is none', { enabled: true, schedule: [{ ...PROBE, cookies: 1 }] }],
  ['no address', { enabled: true, schedule: [{ ...PROBE, url: 'file:///etc/passwd' }] }],
  ['a password', { enabled: true, schedule: [{ ...PROBE, url: 'https://me:secret@erp.example.com/' }] }],
  ['no other address', { enabled: true, schedule: [{ ...PROBE, otherUrl: 'javascript:void 0' }] }],
  ['no steps', { enabled: true, schedule: [{ ...SCRIPT, steps: [] }] }],
  ['a step without an address', { enabled: true, schedule: [{ ...SCRIPT, steps: [{ method: 'GET' }] }] }],
  ['a step that writes', { enabled: true, schedule: [{ ...SCRIPT, steps: [{ url: PROBE.url, method: 'POST' }] }] }],
  [
    'a step that wants no answer',
    { enabled: true, schedule: [{ ...SCRIPT, steps: [{ url: PROBE.url, status: 404 }] }] },
  ],
  ['a step for no text', { enabled: true, schedule: [{ ...SCRIPT, steps: [{ url: PROBE.url, text: '' }] }] }],
])('%s: refused by the collector and by the browser alike', (_, probes) => {
  expect(validateSettings(withProbes(probes)).ok).toBe(false);
  expect(areSoundProbes(probes)).toBe(false);
});

test('cookies and a text to look for: refused when new; stored ones are kept from the browsers, the others are not', () => {
  const asking = {
    ...SCRIPT,
    id: 'asking',
    cookies: true,
    steps: [{ url: PROBE.url }, { url: PROBE.url, text: 'salary' }],
  };
  const allowed = [
    { ...PROBE, cookies: true },
    { ...SCRIPT, cookies: true, steps: [{ url: PROBE.url, status: 204 }] },
    { ...SCRIPT, id: 'b', cookies: false, steps: [{ url: PROBE.url, text: 'Sign in' }] },
  ];
  const document = withProbes({ enabled: true, schedule: [asking, ...allowed] });
  const verdict = validateNewSettings(document);
  expect(verdict.ok ? [] : verdict.problems).toMatchObject([
    { path: '/probes/schedule/0/steps/1/text', code: 'text_with_cookies', hint: expect.stringContaining('Remove') },
  ]);
  expect(validateNewSettings(withProbes({ enabled: true, schedule: allowed })).ok).toBe(true);
  const stored = validateSettings(document);
  expect(stored.ok && toExtensionSettings(stored.settings, 1).probes?.schedule).toEqual(allowed);
});
