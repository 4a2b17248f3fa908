import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { OUTGOING_CODES } from '../../../collector/outgoing/outgoing-failure.ts';
import { secretFault } from '../../../shared/settings/secret-problems.ts';
import { validateNewSettings, validateSettings } from '../../../shared/settings/validate-settings.ts';

const OLD = {
  version: 1,
  targets: [],
  alerts: {
    webhooks: [{ id: 'a', urlFrom: { env: 'LASTBYTE_CHAT_URL' }, bearerFrom: { file: '/run/secrets/a' } }],
    rules: [],
  },
  reports: {
    mail: { host: 'mail', from: 'a@example.com', passwordFrom: { file: 'C:\\secrets\\smtp' } },
    schedule: [
      { id: 'r', cron: '0 6 1 * *', folder: 'out' },
      { id: 's', cron: '0 6 1 * *', webhook: { urlFrom: { env: 'HOOK' }, bearerFrom: { file: '../x' } } },
    ],
  },
};

test('a document of an earlier version stays valid where it is stored, and is not taken in again', () => {
  expect(validateSettings(OLD).ok).toBe(true);
  const verdict = validateNewSettings(OLD);
  expect(verdict.ok ? [] : verdict.problems.map(({ path, hint }) => [path, hint])).toEqual([
    ['/alerts/webhooks/0/urlFrom/env', expect.stringContaining('LASTBYTE_SECRET_CHAT_URL')],
    ['/alerts/webhooks/0/bearerFrom/file', expect.stringContaining('{"file": "a"}')],
    ['/reports/schedule/1/webhook/urlFrom/env', expect.stringContaining('LASTBYTE_SECRET_HOOK')],
    ['/reports/schedule/1/webhook/bearerFrom/file', expect.stringContaining('{"file": "x"}')],
    ['/reports/mail/passwordFrom/file', expect.stringContaining('{"file": "smtp"}')],
  ]);
});

test('names that only look like a way out are names', () => {
  for (const file of ['a..b', 'smtp.txt', '_x', '0', 'A-b.c']) expect(secretFault({ file }), file).toBeNull();
  expect(secretFault({ env: 'LASTBYTE_SECRET_A' })).toBeNull();
});

test('the examples of the documents may be put in force, and every code is documented', async () => {
  for (const name of ['alerts', 'reports', 'operations']) {
    const text = await readFile(`docs/${name}.md`, 'utf8');
    const example = /```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    expect(validateNewSettings(JSON.parse(example)), name).toMatchObject({ ok: true });
  }
  const alerts = await readFile('docs/alerts.md', 'utf8');
  const documented = [...alerts.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(documented).toEqual([...OUTGOING_CODES]);
});

test('a pattern with a space is refused when it is new, and stays in force where it is stored', () => {
  const targets = [{ id: 'erp', name: 'ERP', match: ['https://erp.example.com/a b*'] }];
  expect(validateNewSettings({ version: 1, targets })).toMatchObject({ problems: [{ path: '/targets/0/match/0' }] });
  expect(validateSettings({ version: 1, targets })).toMatchObject({ ok: true });
});
