import fc from 'fast-check';
import { expect, it } from 'vitest';
import { classifyConnection } from '../../../shared/classify/connection.ts';
import { measurePhases } from '../../../shared/timing/phases.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { UNKNOWN_REASONS } from '../../../shared/vocabulary/vocabulary.ts';
import { rounds } from '../../rounds.ts';
import { contexts, hostileEntries, orderedEntries } from './arbitrary-entries.ts';

const COMPLETE = ['plain_http', 'merged_h3', 'firefox_dns'];

it('never throws, never gives a negative, fractional or NaN time, and one reason for each null, whatever comes', () => {
  fc.assert(
    fc.property(hostileEntries(), contexts(), (entry, context) => {
      const { times, unknown } = measurePhases(entry, context, classifyConnection(entry, context).connection);
      for (const name of TIME_NAMES) {
        const time = times[name];
        if (time === null) expect(UNKNOWN_REASONS).toContain(unknown[name]);
        else {
          expect(Number.isSafeInteger(time) && time >= 0 && !Object.is(time, -0)).toBe(true);
          expect(unknown).not.toHaveProperty(name);
        }
      }
    }),
    { seed: 3, numRuns: rounds(1000, 3000) },
  );
});

it('adds up to ttlb exactly, and never beyond it', () => {
  const numRuns = rounds(1000, 3000);
  let complete = 0;
  fc.assert(
    fc.property(fc.oneof(orderedEntries(), hostileEntries()), contexts(), (entry, context) => {
      const { times, unknown } = measurePhases(entry, context, classifyConnection(entry, context).connection);
      const sum = PHASES.reduce((total, phase) => total + (times[phase] ?? 0), 0);
      if (times.ttlb === null) {
        expect(sum).toBe(0);
        return;
      }
      if (!PHASES.every((phase) => times[phase] !== null || COMPLETE.includes(unknown[phase] ?? ''))) {
        expect(sum).toBeLessThanOrEqual(times.ttlb);
        return;
      }
      complete++;
      expect(sum).toBe(times.ttlb);
      if (times.ttfb !== null) expect(times.ttfb + (times.receive ?? Number.NaN)).toBe(times.ttlb);
    }),
    { seed: 3, numRuns },
  );
  // The property would be empty if nearly nothing were complete.
  expect(complete).toBeGreaterThan(numRuns / 10);
});
