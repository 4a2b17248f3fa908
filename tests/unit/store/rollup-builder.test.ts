import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { createBufferPool } from '../../../collector/storage/columns/buffer-pool.ts';
import { concatColumns } from '../../../collector/storage/columns/concat-columns.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { BucketRollup } from '../../../collector/storage/rollups/bucket-rollup.ts';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';
import { rollUp } from '../../../collector/storage/rollups/roll-up.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, NOW, ORIGIN } from '../wire/arbitrary-sample.ts';

/** Of few hours, so that one is given rows again and again. */
const sample = fc.tuple(arbitrarySample, fc.nat(3 * 3_600_000)).map(([given, ago]) => ({ ...given, at: NOW - ago }));
const batches = fc.array(
  fc.record({
    client: fc.constantFrom('c0ffee00-0000-4000-8000-000000000001', 'c0ffee00-0000-4000-8000-000000000002'),
    site: fc.constantFrom('', 'Ulm'),
    samples: fc.array(sample, { minLength: 1, maxLength: 40 }),
  }),
  { minLength: 1, maxLength: 5 },
);

test('hours are the same whether rows come all at once or in parts, in a room that is used again', () => {
  const room = createBufferPool();
  fc.assert(
    fc.property(batches, (given) => {
      const parts = given.map(({ client, site, samples }) => ({
        origin: { ...ORIGIN, client, site },
        columns: toBatchColumns(samples),
      }));
      const catalog = createCellCatalog();
      const [inParts, atOnce] = [new Map<number, BucketRollup>(), new Map<number, BucketRollup>()];
      const into = (hours: Map<number, BucketRollup>) => (hour: number) => {
        const open = hours.get(hour) ?? new BucketRollup();
        hours.set(hour, open);
        return open;
      };
      for (const part of parts) {
        rollUp(concatColumns([encodeHotChunk([part]).bytes], room), catalog, into(inParts), room);
      }
      rollUp(decodeChunk(encodeHotChunk(parts).bytes), catalog, into(atOnce));
      expect([...inParts.keys()].sort()).toEqual([...atOnce.keys()].sort());
      for (const [hour, rollup] of atOnce) {
        expect(inParts.get(hour)?.blocks()).toEqual(rollup.blocks());
        expect(inParts.get(hour)?.digest).toEqual(rollup.digest);
      }
    }),
    { seed: 31, numRuns: rounds(50, 150) },
  );
});
