import { describe, expect, it } from 'vitest';
import { overviewRows } from '../../../collector/dashboard/model/overview-row.ts';
import { FIRST_LINES, type Grouped, tableLines } from '../../../collector/dashboard/model/table-lines.ts';
import { FEW_BROWSERS } from '../../../shared/vocabulary/dimensions.ts';
import { fleetSummary } from './summary-fixture.ts';

const groupCells = fleetSummary(['target']).cells;
const cells = fleetSummary(['target', 'host', 'type']).cells;
const groups = overviewRows(groupCells);
const rows = overviewRows(cells);

function linesOf(more: Partial<Grouped> = {}): readonly string[] {
  const lines = tableLines({
    grouping: 'target',
    groups,
    rows,
    sort: { column: 'waited', descending: true },
    isOpen: () => false,
    isWhole: () => true,
    ...more,
  });
  return lines.map((line) => {
    if (line.kind === 'pending') return line.kind;
    return line.kind === 'more' ? `more of ${line.group}` : `${line.kind} ${line.row.name}`;
  });
}

const byWait = [...groups].sort((a, b) => (b.waited ?? 0) - (a.waited ?? 0)).map(({ name }) => name);

describe('the lines of the overview', () => {
  it('are the groups, those that users waited for longest first', () => {
    expect(linesOf()).toEqual(byWait.map((name) => `group ${name}`));
    expect(groups.length).toBeGreaterThan(1);
    expect(groups.reduce((sum, { waited }) => sum + (waited ?? 0), 0)).toBeCloseTo(1, 9);
  });

  it('have the rows of an open group below it, each once', () => {
    const [first = ''] = byWait;
    const own = rows.filter(({ cell }) => cell.target === first).map(({ name }) => `row ${name}`);
    const lines = linesOf({ isOpen: (group) => group === first });
    expect(lines.slice(1, own.length + 1).sort()).toEqual([...own].sort());
    expect(lines[own.length + 1]).toBe(`group ${byWait[1]}`);
    expect(linesOf({ isOpen: () => true })).toHaveLength(groups.length + rows.length);
  });

  it('are the first ones of a long list, and a line that stands for the others', () => {
    const many = Array.from(
      { length: FIRST_LINES + 2 },
      (_, i) => ({ ...groups[0], name: `app-${i}` }) as (typeof groups)[0],
    );
    const lines = linesOf({ groups: many, rows: [], isWhole: () => false });
    expect(lines).toHaveLength(FIRST_LINES + 1);
    expect(lines.at(-1)).toBe('more of null');
    // A single one more is shown in place of the button.
    expect(linesOf({ groups: many.slice(1), rows: [], isWhole: () => false }).at(-1)).toMatch(/^group /);
  });

  it('say once that rows are being read, in the first open group', () => {
    const [first = '', second = '', ...others] = byWait.map((name) => `group ${name}`);
    expect(linesOf({ rows: null, isOpen: (group) => group !== byWait[0] })).toEqual([
      first,
      second,
      'pending',
      ...others,
    ]);
    expect(linesOf({ rows: null })).toEqual([first, second, ...others]);
  });

  it('never lose a folded row without a group', () => {
    const [cell] = cells;
    if (cell === undefined) throw new Error('the fleet is empty');
    const folded = overviewRows([{ ...cell, target: FEW_BROWSERS, host: FEW_BROWSERS, type: FEW_BROWSERS }]);
    expect(linesOf({ rows: folded, isOpen: () => true }).at(-1)).toContain(FEW_BROWSERS);
  });
});
