import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { gapSteps } from '../../../collector/charts/gap-steps.ts';
import { phaseBars } from '../../../collector/charts/phase-bars.ts';
import { fleetCell, fleetSummary } from './summary-fixture.ts';

describe('the average request', () => {
  it('stacks per-request means up to mean ttlb', () => {
    for (const cell of fleetSummary().cells) {
      const bars = phaseBars(cell, ENGLISH);
      if (bars === null) continue;
      expect(bars.pieces.at(-1)?.to).toBeCloseTo(bars.mean, 6);
      expect(bars.note).toBeNull();
    }
  });

  it('counts a reused connection 0, so TLS is far below its cost per connection', () => {
    const cell = fleetCell('erp.example.com', 'document');
    const piece = phaseBars(cell, ENGLISH)?.pieces.find(({ part }) => part === 'tls');
    expect(piece?.value).toBeCloseTo(cell.perRequest.tls ?? Number.NaN, 9);
    expect(piece?.value).toBeLessThan((cell.phases.tls?.mean ?? 0) / 10);
  });

  it('shows time that no phase accounts for', () => {
    const cell = fleetCell('erp.example.com', 'document');
    const bars = phaseBars({ ...cell, phases: { ...cell.phases, wait: null } }, ENGLISH);
    expect(bars?.pieces.at(-1)).toMatchObject({ part: 'rest', to: cell.phases.ttlb?.mean });
    expect(bars?.note).toContain('unknown');
  });

  it('scales a phase that only half of the requests have', () => {
    const cell = fleetCell('erp.example.com', 'document');
    const { wait, ttlb } = cell.phases;
    if (wait === null || ttlb === null) throw new Error('nothing measured');
    const bars = phaseBars({ ...cell, phases: { ...cell.phases, wait: { ...wait, n: ttlb.n / 2 } } }, ENGLISH);
    expect(bars?.pieces.find(({ part }) => part === 'wait')?.value).toBeCloseTo(wait.mean / 2, 9);
    expect(bars?.pieces.find(({ part }) => part === 'rest')?.value).toBeCloseTo(wait.mean / 2, 6);
  });

  it('notes if the pieces exceed the average', () => {
    const cell = fleetCell('erp.example.com', 'document');
    const bars = phaseBars({ ...cell, perRequest: { ...cell.perRequest, tls: 500 } }, ENGLISH);
    expect(bars?.note).toContain('extend past the average');
  });

  it('is null without usable samples', () => {
    expect(phaseBars(fleetCell('cdn.example.net', 'font'), ENGLISH)).toBeNull();
  });
});

describe('each phase by itself', () => {
  it('marks per-connection phases and gives unknown ones a reason', () => {
    const lines = phaseBars(fleetCell('crm.example.com', 'document'), ENGLISH)?.lines ?? [];
    expect(lines.filter(({ perConnection }) => perConnection).map(({ phase }) => phase)).toEqual(['dns', 'tcp', 'tls']);
    expect(lines.find(({ phase }) => phase === 'tls')).toMatchObject({
      median: null,
      reason: expect.stringContaining('plain HTTP'),
    });
  });
});

describe('steps from median to average', () => {
  it('start where the previous one ended and end at the average', () => {
    const { gap } = fleetCell('erp.example.com', 'document');
    if (gap === null) throw new Error('no gap');
    const [median, setup, tail, spread, mean] = gapSteps(gap, ENGLISH);
    expect([setup?.from, tail?.from, spread?.from]).toEqual([median?.to, setup?.to, tail?.to]);
    expect(gap.median + gap.setup + gap.tail + gap.spread).toBeCloseTo(gap.mean, 9);
    expect([setup, tail].map((step) => (step?.to ?? 0) - (step?.from ?? 0))).toEqual([
      expect.closeTo(gap.setup, 9),
      expect.closeTo(gap.tail, 9),
    ]);
    expect(spread?.to).toBe(mean?.to);
  });
});
