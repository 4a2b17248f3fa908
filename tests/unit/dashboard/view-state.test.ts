import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_IDS } from '../../../collector/dashboard/state/column-ids.ts';
import { PRESETS, resolveRange } from '../../../collector/dashboard/state/time-range.ts';
import {
  formatViewState,
  INITIAL_STATE,
  parseViewState,
  toView,
  type ViewState,
  withFilter,
  withOwn,
} from '../../../collector/dashboard/state/view-state.ts';

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
const values = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });
const anyState: fc.Arbitrary<ViewState> = fc.record({
  range: fc.oneof(
    fc.constantFrom(...PRESETS.map(({ name }) => ({ preset: name }))),
    fc
      .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 1e9 }))
      .map(([from, span]) => ({ from, to: from + span })),
  ),
  filters: fc.record({ host: values, type: values, site: values }, { requiredKeys: [] }),
  view: fc.constantFrom('overview', 'evidence', 'unheard-of'),
  own: fc.record({ kind: text, before: text }, { requiredKeys: [] }),
  sort: fc.record({ column: fc.constantFrom(...COLUMN_IDS), descending: fc.boolean() }),
  sorts: fc.record(
    { pages: fc.record({ column: fc.constantFrom('hits', 'wait.mean'), descending: fc.boolean() }) },
    { requiredKeys: [] },
  ),
});

describe('the state in the URL', () => {
  it('comes back as it went', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(parseViewState(formatViewState(state))).toEqual(state);
      }),
    );
  });

  it('tells a host by its page alone', () => {
    const state = parseViewState('?page=a.test&kind=font');
    expect(state).toMatchObject({ view: 'host', own: { page: 'a.test', kind: 'font' } });
    expect(formatViewState(state)).toBe('?page=a.test&kind=font');
  });

  it('leaves what belongs to one view behind when another is opened', () => {
    const state = parseViewState('?page=a.test&kind=font&type=font&range=7d&sort.pages=-hits');
    expect(formatViewState(toView(state, 'evidence'))).toBe('?view=evidence&range=7d&type=font');
    expect(formatViewState(withOwn(state, { kind: '' }))).toBe('?page=a.test&range=7d&type=font&sort.pages=-hits');
  });

  it('is empty for the first view', () => {
    expect(formatViewState(INITIAL_STATE)).toBe('');
    expect(parseViewState('')).toEqual(INITIAL_STATE);
  });

  it('falls back where a link makes no sense', () => {
    expect(parseViewState('?range=yesterday&sort=-nonsense&from=2026-01-02&to=2026-01-01&host=')).toEqual(
      INITIAL_STATE,
    );
    expect(parseViewState('?view=host')).toEqual(INITIAL_STATE);
  });

  it('drops a filter whose last value is taken away', () => {
    const filtered = withFilter(INITIAL_STATE, 'type', ['font']);
    expect(formatViewState(filtered)).toBe('?type=font');
    expect(withFilter(filtered, 'type', [])).toEqual(INITIAL_STATE);
  });
});

describe('a preset range', () => {
  it('ends after this very moment, since its end is excluded', () => {
    expect(resolveRange({ preset: '1h' }, 5_000_400)).toEqual({ from: 1_401_000, to: 5_001_000 });
  });
});
