import { expect, test } from 'vitest';
import { doneSteps, packageFits, type StartFacts } from '../../../collector/dashboard/start/start-steps.ts';

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
