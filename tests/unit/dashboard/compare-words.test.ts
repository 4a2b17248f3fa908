import { describe, expect, it } from 'vitest';
import { compareQuery, parseComparison, sideNames } from '../../../collector/dashboard/model/compare-question.ts';
import { compareDoubts, compareSentence, outcomeOf } from '../../../collector/dashboard/model/compare-words.ts';
import { parseViewState, withOwn } from '../../../collector/dashboard/state/view-state.ts';
import type { CompareCell } from '../../../collector/questions/compare.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';

const side = (ms: number) =>
  timeStatistics(exactDistribution(Array.from({ length: 40 }, (_, i) => ms * 1000 + i)), 100);

function cell(before: number, after: number, interval: [number, number], changed = true): CompareCell {
  return {
    before: side(before),
    after: side(after),
    change: {
      before,
      after,
      difference: after - before,
      interval,
      changed,
      over: 'browsers',
      because: null,
      sharedBrowsers: 0,
      drawnFrom: [40, 40],
    },
    text: '',
  };
}

describe('comparison texts', () => {
  const sites = { a: 'Hannover', b: 'Porto', inTime: false };
  const time = { a: 'last week', b: 'this week', inTime: true };

  it('name the slower side, the difference and its interval', () => {
    expect(compareSentence(cell(83, 95, [8, 15]), sites)).toBe(
      'Porto is 12 ms slower than Hannover, interval 8.0 to 15 ms: more than noise.',
    );
    expect(compareSentence(cell(95, 83, [-15, -8]), sites)).toBe(
      'Porto is 12 ms faster than Hannover, interval 8.0 to 15 ms: more than noise.',
    );
    expect(compareSentence(cell(83, 95, [8, 15]), time)).toBe(
      '12 ms slower than before, interval 8.0 to 15 ms: more than noise.',
    );
  });

  it('explain why a difference is not beyond noise', () => {
    expect(compareSentence(cell(83, 85, [-3, 7], false), time)).toBe(
      'No change beyond noise: +2.0 ms, and the interval includes 0 (−3.0 to +7.0 ms).',
    );
    expect(compareSentence(cell(83, 85, [1, 3], false), sites)).toContain('+2.0 ms is less than 5 % of the median');
    expect(compareSentence(cell(1, 1.08, [0.01, 0.2], false), sites)).toContain('less than the browsers’ clock step');
  });

  it('never call an unmeasured side equal', () => {
    const nothing = { before: null, after: side(5), change: null, text: '' };
    expect(compareSentence(nothing, sites)).toBe('Hannover was not measured.');
    expect(outcomeOf(nothing)).toBe('unknown');
  });

  it('doubt results from few samples or few browsers', () => {
    expect(compareDoubts(cell(83, 95, [8, 15]))).toEqual([]);
    const few = cell(83, 95, [8, 15]);
    expect(compareDoubts({ ...few, change: few.change && { ...few.change, because: 'few_browsers' } })[0]).toContain(
      'too narrow',
    );
    const short = timeStatistics(exactDistribution([1000, 2000]), 100);
    expect(compareDoubts({ ...few, before: short })[0]).toContain('keep measuring');
  });
});

describe('comparison in the URL', () => {
  const NOW = Date.parse('2026-03-02T00:00:00Z');
  const query = (search: string) => new URLSearchParams(compareQuery(parseViewState(search), NOW) ?? 'none');

  it('compares a range with the preceding one, for users only', () => {
    const asked = query('?view=compare&range=24h');
    expect(Object.fromEntries(asked)).toEqual({
      from: '2026-03-01T00:00:01.000Z',
      to: '2026-03-02T00:00:01.000Z',
      beforeFrom: '2026-02-28T00:00:01.000Z',
      beforeTo: '2026-03-01T00:00:01.000Z',
      time: 'ttlb',
      source: 'page',
    });
  });

  it('names both sides, and never groups by the compared dimension', () => {
    const asked = query('?view=compare&what=host&a=x&b=y&by=host-type&time=tls&source=probe-https-new&host=z');
    expect(asked.get('before.host')).toBe('x');
    expect(asked.get('after.host')).toBe('y');
    expect(asked.get('by')).toBe('type');
    expect(asked.getAll('host')).toEqual([]);
    expect(asked.get('source')).toBe('probe-https-new');
    expect(query('?view=compare&what=source&a=page&b=probe-https-new').get('source')).toBeNull();
  });

  it('needs both sides, and replaces invalid values by defaults', () => {
    expect(compareQuery(parseViewState('?view=compare&what=site&a=x'), NOW)).toBeNull();
    expect(parseComparison({ what: 'mood', by: 'x', time: '1', beforeFrom: 'y' })).toEqual({
      what: 'range',
      a: null,
      b: null,
      before: null,
      by: 'none',
      time: 'ttlb',
    });
    expect(sideNames(withOwn(parseViewState(''), { what: 'site', a: 'x', b: 'y' }), NOW)).toEqual(['x', 'y']);
  });
});
