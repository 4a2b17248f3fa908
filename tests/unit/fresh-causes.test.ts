import { describe, expect, it } from 'vitest';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { toTemplate } from '../../shared/redact/path-template.ts';
import { validateSettings } from '../../shared/settings/validate-settings.ts';
import type { TimeName } from '../../shared/vocabulary/time-names.ts';
import type { WireBatch } from '../../shared/wire/wire-batch.ts';
import { RandomStream } from '../fleets/random-stream.ts';
import { measureCause, waitingOf } from '../fleets/waiting.ts';
import { baseWorld } from '../fleets/world/base-world.ts';
import { CAUSES_FRESH, QUIET_FRESH } from '../fleets/world/causes-fresh.ts';
import { generateWorld, numbersOfWorld, toWorldSource } from '../fleets/world/generate-world.ts';
import { Ground } from '../fleets/world/planting.ts';
import type { WorldPlan } from '../fleets/world/world-plan.ts';
import { rounds } from '../rounds.ts';

const COST = 0.06;
/** The fleets of this seed and those after it have room for each cause. */
const SEED = 3000;

/** A quarter in `npm test`: each plays up to three fleets. */
function some<T>(all: readonly T[]): T[] {
  return all.filter((_, index) => index % rounds(4, 1) === 0);
}

function smallWorld(index: number): WorldPlan {
  return { ...baseWorld(SEED + index), samples: 10_000 };
}

function played(plan: WorldPlan) {
  const batches = [...generateWorld(plan)].map(({ wire }) => wire);
  return { batches, waiting: waitingOf(batches, numbersOfWorld(plan), () => false) };
}

function expectAccepted(batches: readonly WireBatch[]): void {
  for (const wire of batches) {
    const batch = decodeBatch(wire, wire.sentAt);
    expect(batch.ok && batch.rejected).toEqual([]);
    for (const template of wire.dictionaries.template ?? []) expect(toTemplate(template)).toBe(template);
  }
}

/** ms of all requests. */
function timeIn(name: TimeName, batches: readonly WireBatch[]): number {
  const µs = batches.flatMap(({ columns }) => columns.times[name] ?? []);
  return µs.reduce<number>((sum, one) => sum + (one ?? 0), 0) / 1000;
}

function cachedCount(batches: readonly WireBatch[]): number {
  return batches.reduce((sum, { columns, dictionaries }) => {
    const cached = dictionaries.connection?.indexOf('cache');
    return sum + (columns.connection?.filter((one) => one === cached).length ?? 0);
  }, 0);
}

describe('a fresh cause', () => {
  it.each(some(CAUSES_FRESH.map((cause, index) => [cause.name, index, cause] as const)))(
    'costs what it should, in its place and its quantity: %s',
    (name, index, cause) => {
      const base = smallWorld(index);
      const usual = played(base);
      const ground = (plan: WorldPlan) => new Ground(plan, usual.waiting, new RandomStream(SEED, index), COST);
      const prepared = cause.prepare?.(ground(base));
      const { plan, cause: planted } = cause.plant(ground(prepared ?? base));
      const [without, withIt] = [prepared === undefined ? usual : played(prepared), played(plan)];
      expectAccepted(withIt.batches);
      const measured = measureCause({ name, ...planted }, withIt.waiting, without.waiting, plan.from);
      expect(measured.costShare).toBeGreaterThan(0.01);
      expect(measured.costShare).toBeLessThan(0.25);
      const [place = {}] = planted.places;
      expect(measured.costAt(place)).toBeCloseTo(1, 1);
      expect(measured.usualAt(place)).toBeLessThan(0.5);
      expect(withIt.waiting.total).toBeGreaterThan(without.waiting.total);
      const [quantity] = planted.quantities;
      if (quantity === 'cached') {
        expect(cachedCount(withIt.batches)).toBeLessThan(0.95 * cachedCount(without.batches));
      } else {
        const more = timeIn(quantity as TimeName, withIt.batches) - timeIn(quantity as TimeName, without.batches);
        expect(more).toBeGreaterThan(0.3 * (withIt.waiting.total - without.waiting.total));
      }
    },
  );
});

describe('a quiet fleet of the fresh part', () => {
  it.each(some(QUIET_FRESH.map((quiet, index) => [quiet.name, index, quiet] as const)))(
    'is accepted: %s',
    (_, index, quiet) => {
      const base = smallWorld(index);
      const plan = quiet.change(new Ground(base, played(base).waiting, new RandomStream(SEED, index), 0));
      expectAccepted(played(plan).batches);
      expect(validateSettings(toWorldSource(plan).settings)).toMatchObject({ ok: true });
    },
  );
});
