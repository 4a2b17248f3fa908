import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSample } from '../../../shared/sample/make-sample.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { rounds } from '../../rounds.ts';
import { contexts, hostileEntries, orderedEntries } from '../timing/arbitrary-entries.ts';
import { BATCH_ID, ORIGIN } from './arbitrary-sample.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

/** The two sides of the house agree: a browser never loses a row to a check of the collector. */
test.each([
  ['ordinary', orderedEntries()],
  ['hostile', hostileEntries()],
])('what the core makes of %s entries the collector takes', (_name, entries) => {
  let taken = 0;
  fc.assert(
    fc.property(entries, contexts(), (entry, context) => {
      const { sample } = makeSample(entry, context, { target: 'erp', source: 'page' });
      if (sample === null) return;
      const sent = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, sample.at, [sample]))) as unknown;
      expect(decodeBatch(sent, sample.at)).toMatchObject({
        ok: true,
        rejected: [],
        samples: [asSent(sample)],
      });
      taken += 1;
    }),
    { numRuns: rounds(300, 1000), seed: 3 },
  );
  expect(taken).toBeGreaterThan(50);
});

/** What JSON can't tell apart: −0 and 0, and four facts that are not known and no facts. */
function asSent(sample: Sample): Sample {
  const told = Object.values(sample.tls ?? {}).some((fact) => fact !== null);
  return { ...sample, at: sample.at + 0, tls: told ? sample.tls : null };
}
