import { expect, test } from 'vitest';
import {
  doneSteps,
  isOnlyHere,
  packageFits,
  type StartFacts,
  withApp,
} from '../../../collector/dashboard/start/start-steps.ts';

const NOTHING: StartFacts = {
  settings: { version: 1, targets: [] },
  tokens: [{ role: 'admin' }],
  packages: { packaged: null, missing: [] },
  browsers: 0,
};
const done = (facts: Partial<StartFacts>) => [...doneSteps({ ...NOTHING, ...facts })];

test('steps are done by what the collector has, and none while that is unknown', () => {
  expect(done({})).toEqual([]);
  expect(done({ settings: undefined, tokens: undefined, packages: undefined, browsers: undefined })).toEqual([]);
  expect(done({ settings: { targets: [{ id: 'erp' }] }, tokens: [{ role: 'ingest' }] })).toEqual(['apps', 'key']);
  expect(done({ packages: { packaged: {}, missing: ['https://crm.example/*'] } })).toEqual([]);
  expect(done({ packages: { packaged: {}, missing: [] } })).toEqual(['package']);
  expect(done({ browsers: 1 })).toEqual(['package', 'install']);
});

test('a package fits only if it is known and lacks no host', () => {
  expect(packageFits(undefined)).toBe(false);
  expect(packageFits({ packaged: null, missing: [] })).toBe(false);
  expect(packageFits({ packaged: {}, missing: ['https://crm.example/*'] })).toBe(false);
  expect(packageFits({ packaged: {}, missing: [] })).toBe(true);
});

test.each([
  ['erp.example.com', { id: 'erp-example-com', name: 'erp.example.com', match: ['https://erp.example.com/*'] }],
  [
    ' http://127.0.0.1:8080/start?a=1 ',
    { id: '127-0-0-1-8080', name: '127.0.0.1:8080', match: ['http://127.0.0.1:8080/*'] },
  ],
  ['*://*.example.com/app/*', { id: 'example-com', name: 'example.com', match: ['*://*.example.com/app/*'] }],
  ['*.example.com', { id: 'example-com', name: 'example.com', match: ['https://*.example.com/*'] }],
  [
    'Müller.example.de',
    { id: 'mueller-example-de', name: 'müller.example.de', match: ['https://xn--mller-kva.example.de/*'] },
  ],
])('%s is enough for an app', (typed, app) => {
  expect(withApp({ version: 1, targets: [] }, typed)).toEqual({ document: { version: 1, targets: [app] } });
});

test('another app is added behind the others, with an id of its own, and none twice', () => {
  const erp = { id: 'erp-example-com', name: 'ERP', match: ['https://old.example.com/*'] };
  const settings = { version: 1, targets: [erp], privacy: { foldSmallGroups: true } };
  const added = withApp(settings, 'erp.example.com');
  const app = { id: 'erp-example-com-2', name: 'erp.example.com', match: ['https://erp.example.com/*'] };
  expect(added).toEqual({ document: { ...settings, targets: [erp, app] } });
  expect(withApp(settings, 'https://old.example.com/x')).toEqual({ problem: 'known' });
  expect(withApp(settings, 'no address')).toEqual({ problem: 'noAddress' });
});

test.each([
  'a.example.com,b.example.com',
  'https://a.example.com/, https://b.example.com/x',
  '*.example.com; b.example.com',
  'a.example.com b.example.com:8443',
])('%s are several addresses', (typed) => {
  expect(withApp({}, typed)).toEqual({ problem: 'several' });
});

test('a comma within a path is none between addresses', () => {
  expect(withApp({}, 'https://erp.example.com/a,b')).toHaveProperty('document');
});

test.each([
  ['*', 'every_host'],
  ['*.com', 'public_suffix'],
  ['erp*.example.com', 'host'],
])('%s is refused before it is sent: %s', (pattern, kind) => {
  expect(withApp({}, pattern)).toMatchObject({ problem: 'pattern', values: { pattern, kind } });
});

test('a name longer than the settings allow is cut', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
  expect(withApp({}, host)).toMatchObject({
    document: { targets: [{ name: host.slice(0, 100), match: [`https://${host}/*`] }] },
  });
});

test('an address of this machine alone is known as such', () => {
  for (const here of ['http://127.0.0.1:8642', 'https://localhost', 'http://[::1]/lastbyte']) {
    expect([here, isOnlyHere(here)]).toEqual([here, true]);
  }
  for (const there of ['https://lastbyte.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1:8642']) {
    expect([there, isOnlyHere(there)]).toEqual([there, false]);
  }
});
