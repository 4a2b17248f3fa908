import { describe, expect, it } from 'vitest';
import { facetQuery, summaryQueries } from '../../../collector/dashboard/model/summary-queries.ts';
import { parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { parseSummaryQuery } from '../../../collector/query/parse-summary-query.ts';
import { NOW } from './summary-fixture.ts';

/** As the collector reads it: a query it would refuse fails here. */
function read(query: string) {
  const search = new URLSearchParams(query);
  return parseSummaryQuery(Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)])), NOW);
}

describe('what a view asks for', () => {
  it('asks for hosts × types with all filters', () => {
    const { cells = '' } = summaryQueries(parseViewState('?range=1h&type=font&type=image&site=Lyon'), NOW);
    const { range, by, filters } = read(cells);
    expect({ range, by, filters }).toEqual({
      range: { from: NOW + 1000 - 3_600_000, to: NOW + 1000 },
      by: ['host', 'type'],
      filters: { type: ['font', 'image'], site: ['Lyon'] },
    });
  });

  it('asks for one host twice: by type and as a whole', () => {
    const { cells = '', whole = '' } = summaryQueries(parseViewState('?page=a.test&host=b.test'), NOW);
    expect(read(cells)).toMatchObject({ by: ['host', 'type'], filters: { host: ['a.test'] } });
    expect(read(whole)).toMatchObject({ by: ['host'], filters: { host: ['a.test'] } });
  });

  it('offers the values of a filter without its own choice', () => {
    const query = facetQuery(parseViewState('?type=font&site=Lyon'), 'type', NOW);
    expect(read(query)).toMatchObject({ by: ['type'], filters: { site: ['Lyon'] } });
    expect(read(query).filters.type).toBeUndefined();
  });
});
