import { expect, test } from 'vitest';
import { siteLabel } from '../../../collector/rollout/package/check-enrolment.ts';
import { validateNewSettings, validateSettings } from '../../../shared/settings/validate-settings.ts';
import { isPlainText } from '../../../shared/vocabulary/plain-text.ts';

/** A line break, a C1 control, directional overrides, isolates and marks, a zero-width space, half of a character. */
const UNSEEN = ['\n', '\u0000', '\u007f', '\u0085', '\u202e', '\u2066', '\u061c', '\u200b', '\ufeff', '\ud800'];
const NAMES = ['release 4.2', 'Köln', 'עברית', 'می‌خواهم', '👩‍💻 team', 'a b'];

const TARGET = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'] };
const named = (name: string) => [
  { targets: [{ ...TARGET, name }] },
  { targets: [TARGET], sites: [{ site: name, networks: ['10.0.0.0/8'] }] },
  {
    targets: [TARGET],
    probes: {
      enabled: true,
      schedule: [{ id: 'p', name, target: 'erp', everyMinutes: 60, steps: [{ url: 'https://erp.example.com/' }] }],
    },
  },
  { targets: [TARGET], reports: { schedule: [{ id: 'r', name, cron: '0 7 * * 1', folder: 'weekly' }] } },
  { targets: [TARGET], alerts: { webhooks: [], rules: [{ id: 'a', name, aboveMs: 5 }] } },
];

test('names may hold whatever can be seen', () => {
  for (const name of NAMES) expect([name, isPlainText(name)]).toEqual([name, true]);
  for (const unseen of UNSEEN) expect([unseen, isPlainText(`a${unseen}b`)]).toEqual([unseen, false]);
});

test('settings refuse a name in which something cannot be seen; stored ones stay as they are', () => {
  for (const [index, unseen] of UNSEEN.entries()) {
    for (const document of named(`a${unseen}b`)) {
      const verdict = validateNewSettings({ version: 1, ...document });
      const problems = verdict.ok ? [] : verdict.problems;
      expect([index, problems.map(({ code }) => code)]).toEqual([index, ['invalid_text']]);
    }
    const [stored] = named(`a${unseen}b`);
    if (unseen !== '\ud800') expect(validateSettings({ version: 1, ...stored }).ok).toBe(true);
  }
  for (const name of NAMES)
    for (const document of named(name)) {
      expect(validateNewSettings({ version: 1, ...document })).toMatchObject({ ok: true });
    }
});

test('a site label for a policy is plain text', () => {
  expect(siteLabel('Köln')).toBe('Köln');
  for (const unseen of UNSEEN) expect(() => siteLabel(`a${unseen}b`)).toThrow('cannot be seen');
});
