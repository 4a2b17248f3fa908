import { describe, expect, it } from 'vitest';
import { rowDimensions, toGrouping } from '../../../collector/dashboard/model/groupings.ts';
import { areFirstNumbers, isThinDay, MANY_SAMPLES } from '../../../collector/dashboard/overview/thin-day.tsx';
import { trendStep } from '../../../collector/dashboard/overview/trend.tsx';
import { parseViewState, withChoice } from '../../../collector/dashboard/state/view-state.ts';

const HOUR = 3_600_000;

describe('the grouping in the URL', () => {
  it('is by app unless another one is named', () => {
    expect(toGrouping(parseViewState(''))).toBe('target');
    expect(toGrouping(parseViewState('?group=site'))).toBe('site');
    expect(toGrouping(parseViewState('?group=unheard-of'))).toBe('target');
  });

  it('has hosts and types within, each dimension once', () => {
    expect(rowDimensions('site')).toEqual(['site', 'host', 'type']);
    expect(rowDimensions('type')).toEqual(['type', 'host']);
  });
});

describe('a thin day', () => {
  it.each([
    [199, 5_000, true],
    [200, 5_000, false],
    [900, 7 * 20_000, true],
    [1_000, 7 * 20_000, false],
    // The week has nothing else to show.
    [150, 150, false],
  ])('%d of %d in the week: %s', (day, week, thin) => {
    expect(isThinDay(day, week - day)).toBe(thin);
  });

  it.each([
    [1, 1, true],
    [199, 199, true],
    [200, 200, false],
    [150, 151, false],
  ])('%d of %d in the week are the first: %s', (day, week, first) => {
    expect(areFirstNumbers(day, week - day)).toBe(first);
  });

  it('is never one of which the week is not read', () => {
    expect(MANY_SAMPLES).toBeGreaterThan(200);
  });
});

describe('the step of the trend', () => {
  it.each([
    [HOUR / 4, '1m'],
    [24 * HOUR, '1h'],
    [7 * 24 * HOUR, '6h'],
    [30 * 24 * HOUR, '1d'],
    [365 * 24 * HOUR, '7d'],
  ])('of %d ms is %s', (span, step) => {
    expect(trendStep(span)).toBe(step);
  });
});

describe('the choice of a value', () => {
  it('is to include it, to exclude it, or neither', () => {
    const none = parseViewState('?site=Lyon');
    const included = withChoice(none, 'site', 'Berlin', 'included');
    expect(included.filters).toEqual({ site: ['Lyon', 'Berlin'] });
    const excluded = withChoice(included, 'site', 'Berlin', 'excluded');
    expect(excluded.filters).toEqual({ site: ['Lyon'], 'not.site': ['Berlin'] });
    expect(withChoice(excluded, 'site', 'Berlin', null).filters).toEqual({ site: ['Lyon'] });
  });
});
