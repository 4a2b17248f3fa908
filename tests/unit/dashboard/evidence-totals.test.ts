import { expect, test } from 'vitest';
import {
  cellsTable,
  evidenceClasses,
  evidenceSentence,
  unknownTable,
} from '../../../collector/dashboard/evidence/evidence-totals.ts';
import type { EvidenceCell } from '../../../collector/questions/evidence.ts';

const cell = (evidence: EvidenceCell['evidence'], more: Partial<EvidenceCell> = {}): EvidenceCell => ({
  host: 'erp.example.com',
  type: 'document',
  samples:
    evidence.usable + evidence.opaque + evidence.cache + Object.values(evidence.excluded).reduce((a, b) => a + b, 0),
  browsers: 3,
  evidence,
  connections: {},
  status: {},
  unknown: {},
  ...more,
});

test('every sample is in one class: usable first, then by size', () => {
  const parts = evidenceClasses([
    cell({ usable: 60, opaque: 10, cache: 0, excluded: { status: 5 } }),
    cell({ usable: 10, opaque: 0, cache: 12, excluded: { status: 1, hidden: 2 } }),
  ]);
  expect(parts.map(({ name, count }) => [name, count])).toEqual([
    ['usable', 70],
    ['cache', 12],
    ['opaque', 10],
    ['status', 6],
    ['hidden', 2],
  ]);
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(parts.every(({ meaning }) => meaning !== '')).toBe(true);
  expect(evidenceSentence(parts)).toBe(
    '70 % of 100 samples can be timed. The rest is counted but not timed: 12 % from the cache, 10 % opaque, 8 % for other reasons.',
  );
});

test('the sentence covers only usable samples, one other class, and no samples', () => {
  const say = (evidence: EvidenceCell['evidence']) => evidenceSentence(evidenceClasses([cell(evidence)]));
  expect(say({ usable: 1, opaque: 0, cache: 0, excluded: {} })).toBe('100 % of 1 sample can be timed.');
  expect(say({ usable: 0, opaque: 4, cache: 0, excluded: {} })).toContain('0 % of 4 samples can be timed.');
  expect(evidenceSentence(evidenceClasses([]))).toContain('No browser has sent a sample');
});

test('an unknown reason of a newer collector is kept as is', () => {
  const parts = evidenceClasses([
    cell({ usable: 1, opaque: 0, cache: 0, excluded: Object.fromEntries([['constructor', 2]]) }),
  ]);
  expect(parts[1]).toMatchObject({ label: 'constructor', meaning: '' });
});

test('shares and reasons per row, and summed reasons of unknown times', () => {
  const one = cell(
    { usable: 1, opaque: 1, cache: 0, excluded: { hidden: 2 } },
    { unknown: { tls: { plain_http: 3 } } },
  );
  expect(cellsTable([one]).rows[0]).toMatchObject({ usable: 0.25, opaque: 0.25, excluded: 0.5, why: 'hidden tab 2' });
  expect(unknownTable([one, one]).rows).toEqual([{ time: 'TLS', reason: 'plain HTTP has no TLS', count: 6 }]);
});
