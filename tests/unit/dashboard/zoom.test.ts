import { describe, expect, it } from 'vitest';
import { formatViewState, parseViewState } from '../../../collector/dashboard/state/view-state.ts';
import { rangeBefore, zoomInto, zoomOut } from '../../../collector/dashboard/state/zoom.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T00:00:00Z');
const DAY = parseViewState('?page=erp.example.com');
const zoomed = zoomInto(DAY, { from: NOW - 3 * HOUR, to: NOW - HOUR });

describe('zoom', () => {
  it('is in the address, with the range before', () => {
    const again = parseViewState(formatViewState(zoomed));
    expect(again).toEqual(zoomed);
    expect(rangeBefore(again)).toEqual({ preset: '24h' });
  });

  it('goes back to the range before the first zoom', () => {
    const twice = zoomInto(zoomed, { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR });
    expect(zoomOut(twice, NOW)).toEqual(DAY);
    const fixed = zoomInto({ ...DAY, range: { from: NOW - 9 * HOUR, to: NOW } }, { from: NOW - HOUR, to: NOW });
    expect(zoomOut(fixed, NOW).range).toEqual({ from: NOW - 9 * HOUR, to: NOW });
  });

  it('widens a range that nothing came before, but not into the future', () => {
    const state = { ...DAY, range: { from: NOW - 2 * HOUR, to: NOW - HOUR } };
    expect(zoomOut(state, NOW).range).toEqual({ from: NOW - 3 * HOUR, to: NOW });
    expect(zoomOut({ ...DAY, range: { from: NOW - HOUR, to: NOW } }, NOW).range).toEqual({
      from: NOW - 3 * HOUR,
      to: NOW,
    });
  });

  it('forgets a range that is none', () => {
    expect(rangeBefore(parseViewState('?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&back=x~y'))).toBeNull();
    expect(rangeBefore(parseViewState('?back=7d'))).toBeNull();
  });
});
