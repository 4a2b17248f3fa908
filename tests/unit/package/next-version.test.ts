import { expect, test } from 'vitest';
import { compareVersions, nextVersion } from '../../../collector/rollout/package/next-version.ts';

test.each([
  ['the first', { own: '1.2.3', before: null, same: false }, '1.2.3.1'],
  ['nothing changed', { own: '1.2.3', before: '1.2.3.4', same: true }, '1.2.3.4'],
  ['targets changed', { own: '1.2.3', before: '1.2.3.9', same: false }, '1.2.3.10'],
  ['a newer Lastbyte', { own: '1.2.10', before: '1.2.9.44', same: false }, '1.2.10.1'],
] as const)('%s', (_, facts, version) => {
  expect(nextVersion(facts)).toBe(version);
});

test('a version never goes down, and never past what browsers take', () => {
  expect(() => nextVersion({ own: '1.2.2', before: '1.2.3.1', same: false })).toThrow(/newer version 1\.2\.3\.1/);
  expect(() => nextVersion({ own: '1.2.3', before: '1.2.3.65535', same: false })).toThrow(/highest possible version/);
  expect(nextVersion({ own: '1.2.3', before: '1.2.3.65535', same: true })).toBe('1.2.3.65535');
});

test('versions are compared by numbers', () => {
  expect(['1.10', '1.9.1', '1.9', '2'].sort(compareVersions)).toEqual(['1.9', '1.9.1', '1.10', '2']);
});
