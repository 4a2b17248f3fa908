import { describe, expect, it } from 'vitest';
import { headlineCell, overviewRows } from '../../../collector/dashboard/model/overview-row.ts';
import { sortRows } from '../../../collector/dashboard/model/sort-rows.ts';
import { foldColumns, labelColumns } from '../../../collector/dashboard/overview/table-columns.ts';
import { fleetSummary } from './summary-fixture.ts';

const { cells } = fleetSummary();
const rows = overviewRows(cells);
const row = (host: string, type: string) => rows.find((one) => one.host === host && one.type === type);

describe('overview rows', () => {
  it('have shares of the wait that add up to 1', () => {
    expect(rows.reduce((sum, { waited }) => sum + (waited ?? 0), 0)).toBeCloseTo(1, 9);
  });

  it('keep an unknown phase unknown, with its reason', () => {
    expect(row('crm.example.com', 'document')?.phases.tls).toEqual({
      known: false,
      reason: expect.stringMatching(/^plain HTTP has no TLS \(\d+\)$/),
    });
  });

  it('give the reason why an opaque host has no usable samples', () => {
    const opaque = row('cdn.example.net', 'image');
    expect(opaque?.ttlb).toEqual({ known: false, reason: expect.stringContaining('hidden by the browser') });
    expect(opaque?.waited).toBeNull();
    expect(opaque?.reused).toBeNull();
  });

  it('count reuse over connections only, not over cache hits', () => {
    const script = row('erp.example.com', 'script');
    const { new: opened = 0, reused = 0, cache = 0 } = script?.cell.connections ?? {};
    expect(cache).toBeGreaterThan(100);
    expect(script?.reused).toBe(reused / (opened + reused));
  });

  it('mark a median without enough data', () => {
    expect(row('sso.example.com', 'fetch')?.ttlb).toMatchObject({
      keepMeasuring: true,
      note: expect.stringContaining('fewer than 30 samples'),
    });
  });
});

describe('columns that say nothing', () => {
  const names = ['blocked', 'dns', 'tls', 'change'];
  const folded = (some: typeof rows) => foldColumns(some).filter((name) => names.includes(name));

  it('fold: those that are 0 or unknown in every row, and no others', () => {
    const plain = rows.filter(({ host }) => host === 'crm.example.com');
    expect(plain.some(({ phases }) => phases.dns.known)).toBe(true);
    expect(folded(plain)).toContain('tls');
    expect(folded(rows)).toEqual(['change']);
    expect(foldColumns([])).toEqual([]);
    const setUp = (mean: number) =>
      rows.map((one) => ({
        ...one,
        setupRequest: {
          known: true,
          median: 0,
          mean,
          medianText: '',
          meanText: '',
          keepMeasuring: false,
          note: '',
        } as const,
      }));
    expect(foldColumns(setUp(0))).toContain('setupRequest');
    // Most requests reuse a connection, and the others pay.
    expect(foldColumns(setUp(5))).not.toContain('setupRequest');
  });

  it('are named, with what they count', () => {
    expect(labelColumns(['tls', 'change'])).toEqual(['Change', 'TLS per connection']);
  });
});

describe('row order', () => {
  it('is largest first', () => {
    const sorted = sortRows(rows, { column: 'ttlb.mean', descending: true }).flatMap(({ ttlb }) =>
      ttlb.known ? [ttlb.mean] : [],
    );
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  });

  it.each([true, false])('puts unknown values last (descending %s)', (descending) => {
    const sorted = sortRows(rows, { column: 'tls.median', descending }).map(({ phases }) => phases.tls.known);
    expect(sorted.lastIndexOf(true)).toBeLessThan(sorted.indexOf(false));
  });

  it('does not mutate its input', () => {
    const before = [...rows];
    sortRows(rows, { column: 'host', descending: false });
    expect(rows).toEqual(before);
  });
});

describe('the headline', () => {
  it('is the cell with the longest total wait', () => {
    expect(headlineCell(cells)).toMatchObject({ host: 'erp.example.com', type: 'fetch' });
    expect(headlineCell([])).toBeNull();
  });
});
