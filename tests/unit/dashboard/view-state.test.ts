import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COLUMN_IDS } from '../../../collector/dashboard/state/column-ids.ts';
import { PRESETS, resolveRange } from '../../../collector/dashboard/state/time-range.ts';
import {
  formatViewState,
  parseViewState,
  toView,
  type ViewState,
  withExclusion,
  withFilter,
  withOwn,
  withoutDimension,
} from '../../../collector/dashboard/state/view-state.ts';
import { canonicalHost } from '../../../shared/redact/host-name.ts';

const DEFAULT_STATE: ViewState = {
  range: { preset: '24h' },
  filters: {},
  view: 'overview',
  own: {},
  sort: { column: 'waited', descending: true },
  sorts: {},
};

const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
const values = fc.uniqueArray(text, { minLength: 1, maxLength: 3 });
/** In the form that a link is read in. */
const hosts = values.map((texts) => [...new Set(texts.map((host) => canonicalHost(host) ?? host))]);
const anyState: fc.Arbitrary<ViewState> = fc.record({
  range: fc.oneof(
    fc.constantFrom(...PRESETS.map(({ name }) => ({ preset: name }))),
    fc
      .tuple(fc.integer({ min: 0, max: 2e12 }), fc.integer({ min: 1, max: 1e9 }))
      .map(([from, span]) => ({ from, to: from + span })),
  ),
  filters: fc.record(
    { host: hosts, type: values, site: values, 'not.host': hosts, 'not.browser': values },
    { requiredKeys: [] },
  ),
  view: fc.constantFrom('overview', 'evidence', 'unheard-of'),
  own: fc.record({ kind: text, before: text }, { requiredKeys: [] }),
  sort: fc.record({ column: fc.constantFrom(...COLUMN_IDS), descending: fc.boolean() }),
  sorts: fc.record(
    { pages: fc.record({ column: fc.constantFrom('hits', 'wait.mean'), descending: fc.boolean() }) },
    { requiredKeys: [] },
  ),
});

describe('the state in the URL', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(parseViewState(formatViewState(state))).toEqual(state);
      }),
    );
  });

  it('takes a host in any spelling', () => {
    const state = parseViewState('?host=Müller.example&not.host=[2001:DB8::0:1]&page=xn--mller-kva.example');
    expect(state.filters).toEqual({ host: ['xn--mller-kva.example'], 'not.host': ['[2001:db8::1]'] });
    expect(parseViewState('?page=müller.example').own).toEqual(state.own);
  });

  it('implies the host view by the page parameter', () => {
    const state = parseViewState('?page=a.test&kind=font');
    expect(state).toMatchObject({ view: 'host', own: { page: 'a.test', kind: 'font' } });
    expect(formatViewState(state)).toBe('?page=a.test&kind=font');
  });

  it('drops a view’s own parameters when another view is opened', () => {
    const state = parseViewState('?page=a.test&kind=font&type=font&range=7d&sort.pages=-hits');
    expect(formatViewState(toView(state, 'evidence'))).toBe('?view=evidence&range=7d&type=font');
    expect(formatViewState(withOwn(state, { kind: '' }))).toBe('?page=a.test&range=7d&type=font&sort.pages=-hits');
  });

  it('is empty for the first view', () => {
    expect(formatViewState(DEFAULT_STATE)).toBe('');
    expect(parseViewState('')).toEqual(DEFAULT_STATE);
  });

  it('falls back to defaults for invalid values', () => {
    expect(parseViewState('?range=yesterday&sort=-nonsense&from=2026-01-02&to=2026-01-01&host=')).toEqual(
      DEFAULT_STATE,
    );
    expect(parseViewState('?view=host')).toEqual(DEFAULT_STATE);
  });

  it('holds exclusions beside filters', () => {
    const excluding = withExclusion(withFilter(DEFAULT_STATE, 'site', ['Lyon']), 'site', ['Porto', 'Rome']);
    expect(formatViewState(excluding)).toBe('?site=Lyon&not.site=Porto&not.site=Rome');
    expect(formatViewState(toView(excluding, 'evidence'))).toContain('not.site=Porto');
    expect(withExclusion(excluding, 'site', []).filters).toEqual({ site: ['Lyon'] });
    expect(withoutDimension(excluding.filters, 'site')).toEqual({});
  });

  it('drops a filter whose last value is removed', () => {
    const filtered = withFilter(DEFAULT_STATE, 'type', ['font']);
    expect(formatViewState(filtered)).toBe('?type=font');
    expect(withFilter(filtered, 'type', [])).toEqual(DEFAULT_STATE);
  });
});

describe('a preset range', () => {
  it('ends just after now, because its end is exclusive', () => {
    expect(resolveRange({ preset: '1h' }, 5_000_400)).toEqual({ from: 1_401_000, to: 5_001_000 });
  });
});
