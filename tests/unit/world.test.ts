import { describe, expect, it } from 'vitest';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { toTemplate } from '../../shared/redact/path-template.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import { BROWSER_ERRORS } from '../../shared/vocabulary/browser-errors.ts';
import { PHASES } from '../../shared/vocabulary/time-names.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { RandomStream } from '../fleets/random-stream.ts';
import { baseWorld } from '../fleets/world/base-world.ts';
import { CAUSES_HELD_OUT, QUIET_HELD_OUT } from '../fleets/world/causes-held-out.ts';
import { CAUSES_TO_BUILD_WITH, QUIET_TO_BUILD_WITH } from '../fleets/world/causes-to-build-with.ts';
import { generateWorld, toWorldSource } from '../fleets/world/generate-world.ts';
import { plantWorld, quietWorld } from '../fleets/world/planted-world.ts';
import { queueWait } from '../fleets/world/queues.ts';
import { rounds } from '../rounds.ts';

/** A sixteenth in `npm test`: each plays a few whole fleets. */
function some<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => index % rounds(16, 1) === 0);
}

function expectAccepted(batches: Iterable<WireBatch>): void {
  for (const wire of batches) {
    const batch = decodeBatch(wire, wire.sentAt);
    expect(batch.ok && batch.rejected).toEqual([]);
  }
}

describe('the second world', () => {
  const plan = { ...baseWorld(3), samples: 12_000 };
  const batches = [...generateWorld(plan)].map(({ wire }) => wire);

  it('is the same for the same plan, and accepted to the last sample with its settings', () => {
    expectAccepted(batches);
    expect(validateSettings(toWorldSource(plan).settings)).toMatchObject({ ok: true });
    expect(JSON.stringify([...generateWorld(plan)].map(({ wire }) => wire))).toBe(JSON.stringify(batches));
    expect(batches.reduce((sum, { n }) => sum + n, 0) / plan.samples).toBeGreaterThan(0.7);
  });

  it('spells paths, errors and times as the extension does', () => {
    for (const { dictionaries, columns, clockStep, n } of batches) {
      for (const template of dictionaries.template ?? []) expect(toTemplate(template)).toBe(template);
      for (const error of dictionaries.error ?? []) expect(BROWSER_ERRORS).toContain(error);
      for (const column of Object.values(columns.times))
        for (const time of column) expect((time ?? 0) % clockStep).toBe(0);
      for (let row = 0; row < n; row++) {
        const sum = PHASES.reduce((total, phase) => total + (columns.times[phase]?.[row] ?? 0), 0);
        expect(sum).toBeLessThanOrEqual(columns.times.ttlb?.[row] ?? Number.POSITIVE_INFINITY);
      }
    }
  });

  it('queues as Erlang says: three of four servers busy wait for half of a service time over all', () => {
    const random = new RandomStream(1);
    const waits = Array.from({ length: 40_000 }, () => queueWait(4, 0.75, 100, random));
    expect(waits.filter((wait) => wait > 0).length / waits.length).toBeCloseTo(0.509, 1);
    expect(waits.reduce((a, b) => a + b, 0) / waits.length).toBeCloseTo(50.9, -1);
  });

  it.each(some([...CAUSES_TO_BUILD_WITH, ...CAUSES_HELD_OUT].map((cause, index) => [index, cause] as const)))(
    'has where a cause is planted what it costs, and is accepted: number %i',
    (index, cause) => {
      const { batches: sent, causes } = plantWorld(11_000 + index, [cause]);
      expectAccepted(sent);
      const [measured] = causes;
      expect(measured?.places.length).toBeGreaterThan(0);
      if (measured?.costShare === null || measured === undefined) return;
      expect(measured.costShare).toBeGreaterThanOrEqual(0.015);
      expect(measured.costShare).toBeLessThanOrEqual(0.2);
      const [place] = measured.places;
      expect(measured.costAt(place ?? {})).toBeCloseTo(1, 1);
      expect(measured.usualAt(place ?? {})).toBeLessThan(0.5);
    },
  );

  it.each(some([...QUIET_TO_BUILD_WITH, ...QUIET_HELD_OUT].map((quiet, index) => [index, quiet] as const)))(
    'is accepted when quiet: number %i',
    (_, quiet) => {
      const { batches: sent, causes } = quietWorld(11_500, quiet);
      expectAccepted(sent);
      expect(causes).toEqual([]);
    },
  );
});
