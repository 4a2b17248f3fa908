import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { FIXES, findings } from '../../../collector/cli/doctor/findings.ts';
import type { Answer, Certificate, Facts, FolderFacts } from '../../../collector/cli/doctor/gather-facts.ts';
import { createProgram } from '../../../collector/cli/program.ts';
import { createServerCertificate } from '../../../collector/lab/servers/server-certificate.ts';
import { PACKAGES_RECORD } from '../../fixtures/packages-record.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const DAY = 86_400_000;
const GB = 1e9;

const FOLDER: FolderFacts = { path: '/data', isOwn: true, mode: 0o700, foreign: [], error: null };
const CONTENTS = {
  isServed: true,
  freeBytes: 50 * GB,
  diskBytes: 100 * GB,
  version: 12,
  known: 12,
  databaseBytes: 3 * GB,
  quickCheck: 'ok',
  copies: [],
  seen: NOW - 1000,
  oldest: NOW - 3 * DAY,
  samplesIn: null,
  settings: null,
};
const PACKAGES = { ...PACKAGES_RECORD, collector: 'https://lb.example.com' };
const OFFER: Answer = {
  url: 'https://lb.example.com/install/update.xml',
  status: 200,
  date: null,
  body: `<app appid="${PACKAGES.chromiumId}"><updatecheck version="0.1.0.3"/>`,
};
const READY: Answer = { url: 'https://lb.example.com/readyz', status: 200, date: NOW, body: '' };
const TROUBLE = { code: 'control_unreachable', message: 'the control database is away', hint: 'Start it.' };
const HEALTHY: Facts = {
  now: NOW,
  node: { version: '24.1.0', isSupported: true, zones: '2026a' },
  folder: FOLDER,
  contents: CONTENTS,
  certificate: null,
  host: 'lb.example.com',
  packages: PACKAGES,
  updates: [OFFER],
  collector: [READY],
  stores: [{ option: '--control', trouble: null }],
  browsers: [{ ok: true, engine: 'firefox', path: '/usr/bin/firefox' }],
  drivers: [{ name: 'puppeteer-core', has: null, install: 'npm install puppeteer-core@25.0.0' }],
};

const amiss = (changes: Partial<Facts>) =>
  findings({ ...HEALTHY, ...changes }).flatMap(({ status, code }) => (status === 'ok' ? [] : [`${status} ${code}`]));

test('nothing is amiss with a healthy collector, whose browsers may lack their driver', () => {
  expect(amiss({})).toEqual([]);
  expect(findings(HEALTHY).map(({ code }) => code)).toEqual([
    ...['node', 'folder', 'tables', 'database', 'disk', 'clock', 'backup', 'settings'],
    ...['updates', 'collector', '--control', 'browsers', 'puppeteer-core'],
  ]);
});

const folder = (changes: Partial<FolderFacts>) => ({ folder: { ...FOLDER, ...changes } });
const unseen = (error: string, isOwn: boolean) => ({ ...folder({ error, isOwn } as FolderFacts), contents: null });
const contents = (changes: object) => ({ contents: { ...CONTENTS, ...changes } });
const zone = (name: string) => ({
  version: 1,
  targets: [],
  reports: { schedule: [{ id: 'a', cron: '0 6 1 * *', zone: name, folder: 'a' }] },
});

test.each<[string, Partial<Facts>, string]>([
  ['an old Node', { node: { ...HEALTHY.node, isSupported: false } }, 'problem node_unsupported'],
  ['no folder', unseen('ENOENT', true), 'problem no_data'],
  ['a folder that its owner cannot write', unseen('EACCES', true), 'problem not_writable'],
  ['a disk that is read-only, whoever looks', unseen('EROFS', false), 'problem not_writable'],
  ['the folder of another user', unseen('EACCES', false), 'problem not_owner'],
  ['packages that root made', folder({ foreign: ['packages'] }), 'warning other_owner'],
  ['a folder that others may read', folder({ mode: 0o755 }), 'warning open_to_others'],
  ['tables of an earlier version', contents({ version: 11 }), 'warning older_tables'],
  ['tables of a later version', { contents: { ...TROUBLE, code: 'store_too_new' } }, 'problem store_too_new'],
  ['a database of 2 GB', contents({ quickCheck: null }), 'warning not_checked'],
  ['a damaged database', contents({ quickCheck: 'page 3' }), 'problem store_corrupt'],
  ['a full disk', contents({ freeBytes: 1.9 * GB }), 'problem store_full'],
  // 1 GB a day for 27 more days.
  ['a disk that fills', contents({ freeBytes: 26 * GB }), 'warning disk_fills'],
  ['no room for a copy', contents({ oldest: NOW - 40 * DAY, freeBytes: 2.5 * GB }), 'warning no_room_for_copy'],
  ['a clock behind', contents({ seen: NOW + 2 * DAY }), 'warning clock_in_doubt'],
  ['a long weekend', contents({ seen: NOW - 2 * DAY }), 'warning clock_in_doubt'],
  ['another clock', { collector: [{ ...READY, date: NOW - 6 * 60_000 }] }, 'problem clock_differs'],
  ['settings of another version', contents({ settings: { version: 9 } }), 'problem settings_invalid'],
  ['a zone that Node does not know', contents({ settings: zone('Europe/Bonn') }), 'problem no_zone'],
  ['packages without an address', { packages: { ...PACKAGES, collector: null } }, 'warning no_updates'],
  ['packages that cannot be read', { packages: { ...TROUBLE, code: 'failed' } }, 'problem failed'],
  ['updates that nobody serves', { updates: [{ ...OFFER, status: 'ECONNREFUSED' }] }, 'problem no_answer'],
  ['updates of another extension', { updates: [{ ...OFFER, body: '"0.1.0.3"' }] }, 'warning updates_differ'],
  ['updates of before', { updates: [{ ...OFFER, body: OFFER.body.replace('.3', '.2') }] }, 'warning updates_differ'],
  ['a collector with a full disk', { collector: [{ ...READY, status: 507 }] }, 'problem no_answer'],
  ['a store away', { stores: [{ option: '--control', trouble: TROUBLE }] }, 'problem control_unreachable'],
])('%s', (_what, changes, found) => {
  expect(amiss(changes)).toEqual([found]);
});

test('where samples are in ClickHouse, or nearly expire by now, the disk does not fill with them', () => {
  const samplesIn = { url: 'http://127.0.0.1:8123', user: 'a', password: '', database: 'b' };
  expect(amiss(contents({ freeBytes: 5 * GB, samplesIn }))).toEqual([]);
  expect(amiss(contents({ freeBytes: 3.05 * GB, oldest: NOW - 29 * DAY }))).toEqual([]);
  expect(amiss(contents({ freeBytes: 5 * GB, oldest: null, settings: zone('Europe/Berlin') }))).toEqual([]);
});

test('a certificate: its dates, its key, its name and its chain', async () => {
  const made = await createServerCertificate(['lb.example.com'], NOW, 'p-256', 3);
  const other = await createServerCertificate(['lb.example.com'], NOW);
  const chain = (made.chain.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  const certificate: Certificate = { file: 'chain.pem', chain, key: createPrivateKey(made.key) };
  const judge = (changes: Partial<Certificate>, facts: Partial<Facts> = {}) =>
    amiss({ collector: [], ...facts, certificate: { ...certificate, ...changes } }).filter((one) =>
      /certificate/.test(one),
    );
  expect(chain).toHaveLength(3);
  expect(judge({})).toEqual([]);
  expect(judge({ key: null }, { host: null })).toEqual([]);
  expect(judge({}, { now: NOW + 20 * DAY })).toEqual(['warning certificate_dates']);
  expect(judge({}, { now: NOW + 31 * DAY })).toEqual(['problem certificate_dates']);
  expect(judge({}, { now: NOW - DAY })).toEqual(['problem certificate_dates']);
  expect(judge({ key: createPrivateKey(other.key) })).toEqual(['problem certificate_key']);
  for (const host of ['other.example.com', '127.0.0.1', '::1']) {
    expect(judge({}, { host })).toEqual(['problem certificate_name']);
  }
  expect(judge({ chain: [chain[0], chain[2]] as X509Certificate[] })).toEqual(['problem certificate_chain']);
  expect(judge({ chain: chain.slice(0, 1) })).toEqual(['warning certificate_chain']);
  expect(judge({ chain: chain.slice(0, 2) })).toEqual(['warning certificate_chain']);
});

test.each([
  ['/data', '/data'],
  ['/my data', "'/my data'"],
])('a fix names the data folder %s as a shell understands it', (path, word) => {
  const [fix] = findings({ ...HEALTHY, ...folder({ path, error: 'ENOENT' } as FolderFacts), contents: null }).flatMap(
    (finding) => finding.fix ?? [],
  );
  expect(fix).toBe(`lastbyte serve --data ${word}`);
});

test('each command that a fix names exists, with its options', () => {
  const commands = createProgram().commands;
  const named = Object.values(FIXES).flatMap((fix) =>
    Array.from(fix.matchAll(/\blastbyte ([a-z]+)(?: [a-z]+)?((?: --\w+ \S+)*)/g)),
  );
  expect(named.length).toBeGreaterThan(4);
  for (const [fix, name, options = ''] of named) {
    const command = commands.find((one) => one.name() === name);
    const known = [command, ...(command?.commands ?? [])].flatMap((one) => one?.options.map(({ long }) => long) ?? []);
    expect([fix, known]).toEqual([fix, expect.arrayContaining(options.match(/--\w+/g) ?? [])]);
  }
});
