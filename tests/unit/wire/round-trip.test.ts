import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { decodeToSamples as decodeBatch } from './decode-to-samples.ts';

/** Through JSON, as on the wire. */
function send(samples: Parameters<typeof encodeBatch>[3], sentAt = NOW, now = NOW) {
  const batch = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, sentAt, samples))) as unknown;
  const decoded = decodeBatch(batch, now);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded;
}

test('what is encoded comes back as it was, every row of it', () => {
  fc.assert(
    fc.property(fc.array(arbitrarySample, { maxLength: 30 }), (samples) => {
      const decoded = send(samples);
      expect(decoded.rejected).toEqual([]);
      expect(decoded.samples).toEqual(samples);
      expect(decoded).toMatchObject({ batchId: BATCH_ID, origin: ORIGIN, clockCorrection: 0 });
      expect(decodeBatch(encodeBatch(ORIGIN, BATCH_ID, NOW, samples), NOW)).toEqual(decoded);
    }),
    { numRuns: 200, seed: 7 },
  );
});

test('columns that are null in every row are not sent', () => {
  const { columns, dictionaries } = encodeBatch(ORIGIN, BATCH_ID, NOW, [{ ...PLAIN_SAMPLE, metrics: {} }]);
  expect(Object.keys(columns)).not.toContain('metrics');
  expect(Object.keys(columns)).not.toContain('idleMs');
  expect(Object.keys(dictionaries)).not.toContain('tlsVersion');
});

test('a batch takes less than half of what objects would', () => {
  const samples = Array.from({ length: 50 }, (_, i) => ({ ...PLAIN_SAMPLE, at: PLAIN_SAMPLE.at + i }));
  const columnar = JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples)).length;
  expect(columnar).toBeLessThan(JSON.stringify(samples).length / 2);
});

test('a browser whose clock is an hour late is put right, and the correction told', () => {
  const hour = 3_600_000;
  const decoded = send([{ ...PLAIN_SAMPLE, at: NOW - hour - 5000 }], NOW - hour);
  expect(decoded.clockCorrection).toBe(hour);
  expect(decoded.samples.map(({ at }) => at)).toEqual([NOW - 5000]);
});

test('a difference the way there explains is no wrong clock', () => {
  expect(send([PLAIN_SAMPLE], NOW - 30_000)).toMatchObject({ clockCorrection: 0, samples: [{ at: PLAIN_SAMPLE.at }] });
  expect(send([PLAIN_SAMPLE], NOW - 30_001).clockCorrection).toBe(30_001);
  expect(send([PLAIN_SAMPLE], NOW + 1000).clockCorrection).toBe(0);
  expect(send([PLAIN_SAMPLE], NOW + 1001).clockCorrection).toBe(-1001);
});

test('ages are judged after the correction', () => {
  const day = 24 * 3_600_000;
  const rows = [NOW - 7 * day - 1, NOW - 7 * day, NOW + 60_000, NOW + 60_001].map((at) => ({ ...PLAIN_SAMPLE, at }));
  const decoded = send(rows);
  expect(decoded.rejected).toEqual([
    { row: 0, code: 'too_old' },
    { row: 3, code: 'in_future' },
  ]);
  const shifted = send(
    rows.map((row) => ({ ...row, at: row.at - 30 * day })),
    NOW - 30 * day,
  );
  expect(shifted.rejected).toEqual(decoded.rejected);
  expect(shifted.samples).toEqual(decoded.samples);
});
