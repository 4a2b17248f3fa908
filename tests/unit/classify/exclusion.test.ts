import { describe, expect, it } from 'vitest';
import { type ExclusionFacts, findExclusion } from '../../../shared/classify/exclusion.ts';
import { toEvidenceClass } from '../../../shared/sample/evidence.ts';

const FACTS: ExclusionFacts = {
  connection: 'new',
  invalid: false,
  status: 200,
  redirected: false,
  challenged: false,
  warmup: false,
  hidden: false,
  bfcache: false,
  prerender: false,
};

describe('findExclusion', () => {
  it('lets 2xx, a told 304 and a hidden status through', () => {
    for (const status of [200, 204, 304, null]) expect(findExclusion({ ...FACTS, status })).toBeNull();
  });

  it.each([
    ['failed', { connection: 'failed', invalid: true }],
    ['invalid', { invalid: true, connection: 'unknown', hidden: true }],
    ['worker', { connection: 'worker', status: 404 }],
    ['status', { status: 401, hidden: true }],
    ['status', { status: 500 }],
    ['status', { status: 101 }],
    ['redirect', { status: 302 }],
    ['redirect', { redirected: true, hidden: true }],
    ['redirect', { redirected: true, challenged: true }],
    ['challenge', { challenged: true, hidden: true }],
    ['warmup', { warmup: true, hidden: true }],
    ['prerender', { prerender: true, hidden: true }],
    ['hidden', { hidden: true, bfcache: true }],
    ['bfcache', { bfcache: true }],
  ] as const)('%s is the one reason of %o', (exclusion, facts) => {
    expect(findExclusion({ ...FACTS, ...facts })).toBe(exclusion);
  });

  it('gives opaque and cache no second class', () => {
    for (const connection of ['opaque', 'cache'] as const) {
      expect(findExclusion({ ...FACTS, connection, hidden: true, status: 404 })).toBeNull();
      expect(toEvidenceClass({ connection, excluded: null })).toBe(connection);
    }
  });
});

it('puts each sample in exactly one class', () => {
  expect(toEvidenceClass({ connection: 'new', excluded: null })).toBe('usable');
  expect(toEvidenceClass({ connection: 'unknown', excluded: null })).toBe('usable');
  expect(toEvidenceClass({ connection: 'cache', excluded: 'rule' })).toBe('cache');
  expect(toEvidenceClass({ connection: 'new', excluded: 'hidden' })).toBe('hidden');
  expect(toEvidenceClass({ connection: 'failed', excluded: null })).toBe('failed');
});
