import { expect, test } from 'vitest';
import { certainChanges } from '../../../collector/analysis/changes/certain-changes.ts';
import type { GroupChange } from '../../../collector/analysis/changes/group-change.ts';

function change(host: string, since: string, pValue: number): GroupChange {
  return {
    host,
    statistic: 'mean',
    since,
    sinceInterval: [since, since],
    direction: 'slower',
    before: 100,
    after: 150,
    difference: 50,
    interval: [40, 60],
    pValue,
    requests: 1000,
  };
}

test('as many as their p-values allow, by the number of events', () => {
  const first = change('a', '2026-03-03', 0.001);
  const second = change('b', '2026-03-13', 0.002);
  const third = change('c', '2026-03-23', 0.009);
  // Of 50 series: 0.001 for one event, 0.002 for two, 0.003 for three.
  expect(certainChanges([third, second, first], 50, 0.05)).toEqual([first, second]);
  expect(certainChanges([second], 50, 0.05)).toEqual([]);
  expect(certainChanges([first, second, { ...third, pValue: 0.003 }], 50, 0.05)).toHaveLength(3);
});

test('one event seen from many sides lets no chance change pass', () => {
  const sides = ['a', 'b', 'c', 'd', 'e', 'f'].map((host) => change(host, '2026-03-03', 0.0005));
  const chance = change('g', '2026-03-13', 0.004);
  expect(certainChanges([...sides, chance], 50, 0.05)).toEqual(sides);
});

test('nothing is certain of nothing', () => {
  expect(certainChanges([], 0, 0.05)).toEqual([]);
  expect(certainChanges([change('a', '2026-03-03', 0.06)], 1, 0.05)).toEqual([]);
});
