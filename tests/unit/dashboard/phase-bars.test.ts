import { describe, expect, it } from 'vitest';
import type { SummaryCell } from '../../../collector/analysis/summary/summary-document.ts';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { gapSteps } from '../../../collector/charts/gap-steps.ts';
import { phaseBars, VERDICT_COLOURS } from '../../../collector/charts/phase-bars.ts';
import { fleetCell, fleetSummary } from './summary-fixture.ts';

/** With a verdict that could divide neither the wait nor the handshakes. */
function undivided(cell: SummaryCell): SummaryCell {
  const { verdict } = cell;
  const shares = verdict.shares && { ...verdict.shares, tls: null, network: null, server: null };
  return { ...cell, verdict: { ...verdict, shares } };
}

describe('the average request', () => {
  it('has the shares of the verdict, in the colours of its badge', () => {
    const cell = fleetCell('erp.example.com', 'document');
    const { shares } = cell.verdict;
    const mean = cell.phases.ttlb?.mean ?? Number.NaN;
    if (shares === null) throw new Error('no shares');
    const pieces = phaseBars(cell, ENGLISH)?.pieces ?? [];
    expect(pieces.map(({ part, value }) => [part, value / mean])).toEqual(
      (['client', 'network', 'tls', 'server', 'download'] as const)
        .filter((part) => (shares[part] ?? 0) > 0)
        .map((part) => [part, expect.closeTo(shares[part] ?? Number.NaN, 9)]),
    );
    const badges: Readonly<Record<string, string>> = VERDICT_COLOURS;
    for (const { part, colour } of pieces) expect(colour).toBe(badges[part]);
  });

  it('has the phases that the verdict could not divide', () => {
    const cell = undivided(fleetCell('erp.example.com', 'document'));
    const bars = phaseBars(cell, ENGLISH);
    expect(bars?.pieces.map(({ label }) => label)).toContain('Wait, not divided');
    expect(bars?.pieces.at(-1)?.to).toBeCloseTo(bars?.mean ?? Number.NaN, 6);
  });

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
    const cell = undivided(fleetCell('erp.example.com', 'document'));
    const bars = phaseBars({ ...cell, phases: { ...cell.phases, wait: null } }, ENGLISH);
    expect(bars?.pieces.at(-1)).toMatchObject({ part: 'rest', to: cell.phases.ttlb?.mean });
    expect(bars?.note).toContain('unknown');
  });

  it('scales a phase that only half of the requests have', () => {
    const cell = undivided(fleetCell('erp.example.com', 'document'));
    const { wait, ttlb } = cell.phases;
    if (wait === null || ttlb === null) throw new Error('nothing measured');
    const bars = phaseBars({ ...cell, phases: { ...cell.phases, wait: { ...wait, n: ttlb.n / 2 } } }, ENGLISH);
    expect(bars?.pieces.find(({ part }) => part === 'wait')?.value).toBeCloseTo(wait.mean / 2, 9);
    expect(bars?.pieces.find(({ part }) => part === 'rest')?.value).toBeCloseTo(wait.mean / 2, 6);
  });

  it('notes if the pieces exceed the average', () => {
    const cell = undivided(fleetCell('erp.example.com', 'document'));
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
    // What no request in particular makes opens none.
    expect([median, setup, tail, spread, mean].map((step) => step?.requests)).toEqual([
      undefined,
      { metric: 'setup' },
      { min: String(gap.tailFrom) },
      undefined,
      undefined,
    ]);
  });

  it('have none for slow requests if there are none', () => {
    const { gap } = fleetCell('erp.example.com', 'document');
    if (gap === null) throw new Error('no gap');
    const ids = (tailSamples: number) => gapSteps({ ...gap, tailSamples }, ENGLISH).map(({ id }) => id);
    expect(ids(1)).toContain('tail');
    expect(ids(0)).toEqual(['median', 'setup', 'spread', 'mean']);
  });
});
