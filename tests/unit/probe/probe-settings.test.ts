import { expect, test } from 'vitest';
import type { ProbeSettings } from '../../../shared/settings/probe-settings.ts';
import { toExtensionSettings } from '../../../shared/settings/to-extension-settings.ts';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const PROBE = { id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60 };
const TARGETS = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] }];

function withProbes(probes: unknown) {
  return { version: 1, targets: TARGETS, probes };
}

test('a schedule within its budget passes and reaches the browsers', () => {
  const probes: ProbeSettings = { enabled: true, schedule: [PROBE] };
  const verdict = validateSettings(withProbes(probes));
  expect(verdict.ok).toBe(true);
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
