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

test('an address of this machine alone is known as such', () => {
  for (const here of ['http://127.0.0.1:8642', 'https://localhost', 'http://[::1]/lastbyte']) {
    expect([here, isOnlyHere(here)]).toEqual([here, true]);
  }
  for (const there of ['https://lastbyte.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1:8642']) {
    expect([there, isOnlyHere(there)]).toEqual([there, false]);
  }
});
