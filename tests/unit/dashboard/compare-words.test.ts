import { describe, expect, it } from 'vitest';
import { cellChoices, sideOptions, versionChoices } from '../../../collector/dashboard/compare/compare-choices.ts';
import {
  compareQuery,
  earlierKind,
  ownBefore,
  parseComparison,
  sideNames,
  weekBefore,
} from '../../../collector/dashboard/compare/compare-question.ts';
import {
  compareSentence,
  comparisonDoubts,
  comparisonSentence,
  toOutcome,
} from '../../../collector/dashboard/compare/compare-words.ts';
import { parseViewState, withOwn } from '../../../collector/dashboard/state/view-state.ts';
import type { CompareCell } from '../../../collector/questions/compare.ts';
import { exactDistribution } from '../../../shared/statistics/exact-distribution.ts';
import { timeStatistics } from '../../../shared/statistics/time-statistics.ts';
import { FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';

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
    notCompared: null,
    text: '',
  };
}

describe('comparison texts', () => {
  const sites = { a: 'Hannover', b: 'Porto', inTime: false, names: null };
  const time = { a: 'last week', b: 'this week', inTime: true, names: null };

  it('name the slower side, the difference and its interval', () => {
    expect(compareSentence(cell(83, 95, [8, 15]), sites)).toBe(
      'Porto is 12 ms slower than Hannover (8.0 to 15 ms with 95 % certainty).',
    );
    expect(compareSentence(cell(95, 83, [-15, -8]), sites)).toBe(
      'Porto is 12 ms faster than Hannover (8.0 to 15 ms with 95 % certainty).',
    );
    expect(compareSentence(cell(83, 95, [8, 15]), time)).toBe(
      '12 ms slower than before (8.0 to 15 ms with 95 % certainty).',
    );
  });

  it('say of an uncertain difference how large it may be, and of a small one that it is', () => {
    expect(compareSentence(cell(83, 85, [-3, 7], false), time)).toBe('No certain change (+2.0 ms; −3.0 to +7.0 ms).');
    expect(compareSentence(cell(83, 85, [1, 3], false), sites)).toBe(
      'No certain difference between Hannover and Porto (+2.0 ms; +1.0 to +3.0 ms): less than 5 % of the median.',
    );
    expect(compareSentence(cell(1, 1.08, [0.01, 0.2], false), sites)).toContain('browsers’ clocks can resolve');
  });

  it('never call an unmeasured side equal', () => {
    const nothing = { before: null, after: side(5), change: null, notCompared: 'not_measured', text: '' } as const;
    expect(compareSentence(nothing, sites)).toBe('Hannover was not measured.');
    expect(toOutcome(nothing)).toBe('unknown');
  });

  it('say why too little is not compared', () => {
    const few = { ...cell(83, 95, [8, 15]), change: null, notCompared: 'few_browsers' } as const;
    expect(compareSentence(few, time)).toBe(
      'The median is 95 ms now and was 83 ms before. Not compared: each side needs at least 5 browsers.',
    );
    expect(compareSentence({ ...few, notCompared: 'few_samples' }, sites)).toBe(
      'The median is 95 ms at Porto, 83 ms at Hannover. Not compared: each side needs at least 30 requests.',
    );
    expect(toOutcome(few)).toBe('few');
  });

  const host = (name: string, one: CompareCell): CompareCell => ({ ...one, host: name });
  const slower = host('erp', cell(83, 95, [8, 15]));
  const few: CompareCell = { ...host('crm', cell(80, 160, [40, 90])), change: null, notCompared: 'few_samples' };
  const faster = host('sso', cell(95, 83, [-15, -8]));
  const same = host('cdn', cell(83, 85, [-3, 7], false));

  it('start a range comparison of one group with a capital, and one of names with the name', () => {
    expect(comparisonSentence([slower], { a: 'x', b: 'y', inTime: false, names: null })).toMatch(
      /^y is 12 ms slower than x/,
    );
    expect(comparisonSentence([], time)).toBe('');
  });

  it('count the changed groups among those compared and name the largest change', () => {
    expect(comparisonSentence([slower, few, faster, same], time)).toBe(
      '1 slower, 1 faster of 3 groups. Largest change: erp: 12 ms slower than before (8.0 to 15 ms with 95 % certainty).',
    );
    expect(comparisonSentence([same, same, few], time)).toBe('No certain difference in any of 2 groups compared.');
    expect(comparisonSentence([same, few], time)).toBe('No certain difference in the only group compared.');
    expect(comparisonSentence([few, few], time)).toBe(
      'No group can be compared: each side needs at least 30 requests and 5 browsers.',
    );
  });

  it('say once why requests were resampled', () => {
    const chosen = { ...slower, change: slower.change && { ...slower.change, because: 'chosen_browsers' as const } };
    expect(comparisonDoubts([slower, same, few])).toEqual([]);
    expect(comparisonDoubts([chosen, chosen, same])).toEqual([
      'Probes and recordings come from chosen machines, so requests were resampled instead: the result holds for these machines only.',
    ]);
  });

  it('says that among many groups as few changes may be chance', () => {
    const groups = (changed: number) => [
      ...Array.from({ length: changed }, () => slower),
      ...Array.from({ length: 16 - changed }, () => same),
    ];
    expect(comparisonDoubts(groups(1))).toEqual(['With 16 groups compared, chance alone may make 1 of them differ.']);
    expect(comparisonDoubts(groups(0))).toEqual([]);
    expect(comparisonDoubts(groups(3))).toEqual([]);
  });
});

describe('the earlier range', () => {
  const HOUR = 3_600_000;
  const range = { from: Date.parse('2026-03-08T00:00:00Z'), to: Date.parse('2026-03-09T00:00:00Z') };

  it('is a week earlier while a moving range is less than an hour on', () => {
    const week = weekBefore(range);
    expect(ownBefore(week)).toEqual({ beforeFrom: '2026-03-01T00:00:00.000Z', beforeTo: '2026-03-02T00:00:00.000Z' });
    expect(earlierKind(null, range)).toBe('previous');
    expect(earlierKind(week, range)).toBe('week');
    expect(earlierKind(week, { from: range.from + HOUR - 1, to: range.to + HOUR - 1 })).toBe('week');
    expect(earlierKind(week, { from: range.from + HOUR, to: range.to + HOUR })).toBe('own');
    expect(earlierKind({ ...week, from: week.from - HOUR }, range)).toBe('own');
  });

  it('survives the URL', () => {
    expect(parseComparison(ownBefore(weekBefore(range))).before).toEqual(weekBefore(range));
  });
});

describe('the values of a side', () => {
  it('are sorted, once each, with the chosen one even if it is not in the range', () => {
    expect(sideOptions(['Porto', 'Berlin', 'Porto'], 'Lyon').map(([value]) => value)).toEqual([
      '',
      'Berlin',
      'Lyon',
      'Porto',
    ]);
    expect(sideOptions([], null)).toEqual([['', 'none in this range']]);
    expect(sideOptions([], 'Lyon')[0]?.[1]).toBe('Choose …');
  });

  it('are never the group of few browsers', () => {
    const versions = [
      { browser: 'firefox', version: '128', extension: '1.2.0' },
      { browser: FEW_BROWSERS, version: FEW_BROWSERS, extension: FEW_BROWSERS },
    ];
    expect(versionChoices(versions, 'browserVersion')).toEqual(['firefox 128']);
    expect(versionChoices(versions, 'extension')).toEqual(['1.2.0']);
    const cells = [{ site: 'Porto' }, { site: FEW_BROWSERS }, { site: null }, { site: '' }];
    expect(cellChoices(cells, 'site')).toEqual(['Porto']);
  });
});

describe('comparison in the URL', () => {
  const NOW = Date.parse('2026-03-02T00:00:00Z');
  const query = (search: string) => new URLSearchParams(compareQuery(parseViewState(search), NOW) ?? 'none');

  it('compares a range with the preceding one, for users only', () => {
    const asked = query('?view=compare&range=24h&what=range');
    expect(Object.fromEntries(asked)).toEqual({
      from: '2026-03-01T00:00:01.000Z',
      to: '2026-03-02T00:00:01.000Z',
      beforeFrom: '2026-02-28T00:00:01.000Z',
      beforeTo: '2026-03-01T00:00:01.000Z',
      time: 'ttlb',
      source: 'page',
    });
  });

  it('opens with what HTTPS costs on new connections, by app', () => {
    expect(parseComparison({})).toMatchObject({ what: 'scenario', a: 'http-new', b: 'https-new', by: 'target' });
    expect(query('?view=compare').get('by')).toBe('target');
    // A link that names anything else compares what it did before.
    expect(parseComparison({ by: 'host' })).toMatchObject({ what: 'range', by: 'host' });
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
    expect(sideNames(withOwn(parseViewState(''), { what: 'site', a: 'x', b: 'y' }), NOW, null)).toEqual(['x', 'y']);
    const apps = withOwn(parseViewState(''), { what: 'target', a: 'erp' });
    expect(sideNames(apps, NOW, new Map([['erp', 'SAP ERP']]))).toEqual(['SAP ERP', '–']);
  });
});
