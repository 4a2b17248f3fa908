import { describe, expect, it } from 'vitest';
import { facetQuery, usersQuery, viewKey, viewQuery } from '../../../collector/dashboard/model/summary-queries.ts';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { summary } from '../../../collector/questions/summary.ts';
import { NOW } from './summary-fixture.ts';

/** Parses a query as the collector does: an invalid one fails here. */
function read(query: string) {
  const search = new URLSearchParams(query);
  return summary.parse(Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)])), NOW);
}

describe('queries of a view', () => {
  it('group by host and type with all filters', () => {
    const state = parseViewState('?range=1h&type=font&type=image&site=Lyon');
    const { range, by, filters } = read(viewQuery(state, NOW, { by: ['host', 'type'] }));
    expect({ range, by, filters }).toEqual({
      range: { from: NOW + 1000 - 3_600_000, to: NOW + 1000 },
      by: ['host', 'type'],
      filters: { type: ['font', 'image'], site: ['Lyon'] },
    });
  });

  it('exclude, and differ in their key by what they exclude', () => {
    const state = parseViewState('?not.type=font&not.type=image&not.site=Lyon');
    expect(read(viewQuery(state, NOW)).filters).toEqual({ 'not.type': ['font', 'image'], 'not.site': ['Lyon'] });
    expect(viewKey(state)).not.toBe(viewKey(parseViewState('?not.site=Lyon')));
    expect(read(facetQuery(state, 'type', NOW)).filters).toEqual({ 'not.site': ['Lyon'] });
  });

  it('leave probes out for users, unless the view filters by source', () => {
    const of = (search: string) => read(usersQuery(parseViewState(search), NOW, { by: ['host'] }));
    expect(of('?type=font')).toMatchObject({ by: ['host'], filters: { type: ['font'], source: ['page'] } });
    expect(of('?source=probe-https-new').filters).toEqual({ source: ['probe-https-new'] });
    expect(of('?not.source=probe-https-new').filters).toEqual({ 'not.source': ['probe-https-new'] });
  });

  it('let a host page replace the host filter', () => {
    const state = parseViewState('?page=a.test&host=b.test&not.host=a.test');
    const query = viewQuery(state, NOW, { by: ['host'], filters: { host: ['a.test'] } });
    expect(read(query)).toMatchObject({ by: ['host'], filters: { host: ['a.test'] } });
  });

  it('have a key of range and filters, independent of the clock and the sort order', () => {
    const key = (search: string) => viewKey(parseViewState(search));
    expect(key('?sort=host&range=1h')).toBe(key('?range=1h'));
    expect(key('?type=font')).not.toBe(key(''));
  });

  it('list a filter’s values without applying the filter itself', () => {
    const query = facetQuery(parseViewState('?type=font&site=Lyon'), 'type', NOW);
    expect(read(query)).toMatchObject({ by: ['type'], filters: { site: ['Lyon'] } });
    expect(read(query).filters.type).toBeUndefined();
  });
});
