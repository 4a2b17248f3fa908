import { expect, test } from 'vitest';
import { validateSettings } from '../../../shared/settings/validate-settings.ts';

const MAIL = { host: 'mail.example.com', from: 'lastbyte@example.com' };
const REPORT = { id: 'management', cron: '0 6 1 * *', zone: 'Europe/Berlin', folder: 'management' };

function problems(schedule: readonly object[], mail?: object): string[] {
  const reports = { ...(mail === undefined ? {} : { mail }), schedule };
  const verdict = validateSettings({ version: 1, targets: [], reports });
  return verdict.ok ? [] : verdict.problems.map(({ path, message }) => `${path} ${message}`);
}

test('a report that is written, posted and sent is valid', () => {
  const webhook = { urlFrom: { env: 'HOOK' }, bearerFrom: { file: '/run/secrets/hook' } };
  const report = {
    ...REPORT,
    formats: ['pdf', 'html'],
    lang: 'de',
    filters: { host: ['erp.example.com'], 'not.type': ['font'] },
    webhook,
  };
  expect(problems([{ ...report, mailTo: ['a@example.com'], businessHours: 'Mon-Fri 08:00-18:00' }], MAIL)).toEqual([]);
});

test.each([
  ['is not a time zone', { zone: 'Mars/Base' }],
  ['does not have five parts', { cron: '@monthly now' }],
  ['does not have five parts', { cron: '0 0 6 1 * *' }],
  ['cannot be read', { cron: '61 6 1 * *' }],
  ['has no destination', { folder: undefined }],
  ['there is no mail server', { mailTo: ['a@example.com'] }],
  ['needs either url or urlFrom', { webhook: {} }],
  ['is not an http or https address', { webhook: { url: 'ftp://example.com/x' } }],
  ['contains a password', { webhook: { url: 'https://user:secret@example.com/x' } }],
  ['contains a password', { webhook: { url: 'https:user:secret@example.com/x' } }],
  ['contains a password', { webhook: { url: ' https:\\\\:secret@example.com/x' } }],
])('a report that %s is refused: %j', (message, change) => {
  const { folder, ...rest } = { ...REPORT, ...change };
  expect(problems([folder === undefined ? rest : { folder, ...rest }]).join()).toContain(message);
});

test('an @ that is not in front of the host is no password', () => {
  expect(problems([{ ...REPORT, webhook: { url: 'https://hooks.example.com?to=it@example.com' } }])).toEqual([]);
});

test.each([['../up'], ['/etc'], ['a//b'], ['.hidden'], ['a/../b']])(
  '%s is no folder below that of reports',
  (folder) => {
    expect(problems([{ ...REPORT, folder }])).not.toEqual([]);
  },
);

test.each([['a@b, c@d'], ['a@b\nBcc: c@d'], ['<a@b>'], ['nobody']])('%j is no address', (address) => {
  expect(problems([{ ...REPORT, mailTo: [address] }], MAIL)).not.toEqual([]);
});

test('each report has an id of its own', () => {
  expect(problems([REPORT, REPORT])).toEqual(['/reports/schedule/1/id the id management is used twice']);
});

test('of schedules that never come the first few are told: each search for a next time takes some 10 ms', () => {
  const never = Array.from({ length: 50 }, (_, i) => ({ ...REPORT, id: `r${i}`, cron: '0 6 30 2 *' }));
  expect(problems(never)).toEqual([0, 1, 2].map((i) => `/reports/schedule/${i}/cron 0 6 30 2 * never occurs`));
});
