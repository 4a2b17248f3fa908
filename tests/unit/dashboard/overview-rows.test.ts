import { describe, expect, it } from 'vitest';
import { headlineCell } from '../../../collector/dashboard/model/headline.ts';
import { overviewRows } from '../../../collector/dashboard/model/overview-row.ts';
import { sortRows } from '../../../collector/dashboard/model/sort-rows.ts';
import { fleetSummary } from './summary-fixture.ts';

const { cells } = fleetSummary();
const rows = overviewRows(cells);
const row = (host: string, type: string) => rows.find((one) => one.host === host && one.type === type);

describe('rows of the overview', () => {
  it('share out all waiting', () => {
    expect(rows.reduce((sum, { waited }) => sum + (waited ?? 0), 0)).toBeCloseTo(1, 9);
  });

  it('keep an unknown phase unknown, with its reason', () => {
    expect(row('crm.example.com', 'document')?.phases.tls).toEqual({
      known: false,
      reason: expect.stringMatching(/^plain HTTP has no TLS \(\d+\)$/),
    });
  });

  it('say of an opaque host that nothing could be used, and why', () => {
    const opaque = row('cdn.example.net', 'image');
    expect(opaque?.ttlb).toEqual({ known: false, reason: expect.stringContaining('hidden by the browser') });
    expect(opaque?.waited).toBeNull();
    expect(opaque?.reused).toBeNull();
  });

  it('count reuse over connections only, not over cache', () => {
    const script = row('erp.example.com', 'script');
    const { new: opened = 0, reused = 0, cache = 0 } = script?.cell.connections ?? {};
    expect(cache).toBeGreaterThan(100);
    expect(script?.reused).toBe(reused / (opened + reused));
  });

  it('mark a median that is not yet a fact', () => {
    expect(row('sso.example.com', 'fetch')?.ttlb).toMatchObject({
      keepMeasuring: true,
      note: expect.stringContaining('fewer than 30 samples'),
    });
  });
});

describe('the order of rows', () => {
  it('is by the largest first', () => {
    const sorted = sortRows(rows, { column: 'ttlb.mean', descending: true }).flatMap(({ ttlb }) =>
      ttlb.known ? [ttlb.mean] : [],
    );
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  });

  it.each([true, false])('leaves the unknown for last (descending %s)', (descending) => {
    const sorted = sortRows(rows, { column: 'tls.median', descending }).map(({ phases }) => phases.tls.known);
    expect(sorted.lastIndexOf(true)).toBeLessThan(sorted.indexOf(false));
  });

  it('does not touch what it was given', () => {
    const before = [...rows];
    sortRows(rows, { column: 'host', descending: false });
    expect(rows).toEqual(before);
  });
});

describe('the headline', () => {
  it('is the cell that cost users most time', () => {
    expect(headlineCell(cells)).toMatchObject({ host: 'erp.example.com', type: 'fetch' });
    expect(headlineCell([])).toBeNull();
  });
});
