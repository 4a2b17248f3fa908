import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_LIMITS } from '../../../collector/ingest/decode/byte-columns.ts';
import { createReusedBuffers, type ReusedBuffers } from '../../../collector/ingest/decode/column-buffers.ts';
import { type DecodedBatch, decodeBatch } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeBytes } from '../../../collector/ingest/decode/decode-bytes.ts';
import { PHASES, TIME_NAMES } from '../../../shared/vocabulary/time-names.ts';
import { MAX_TIME } from '../../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../../shared/wire/encode-bytes.ts';
import type { WireBatch } from '../../../shared/wire/wire-batch.ts';
import { rounds } from '../../rounds.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { batchSamples } from './batch-samples.ts';

type Numbers = (number | null)[];
type Times = Record<string, Numbers>;
interface Columns extends Record<string, unknown> {
  times: Times;
}

const OTHERS = ['status', 'transferSize', 'encodedBodySize', 'decodedBodySize', 'idleMs', 'serverTime'];
const values = fc.constantFrom(null, 0, 1, 999_999_999, 1_000_000_000, MAX_TIME, MAX_TIME + 1, Number.MAX_SAFE_INTEGER);
const edits = fc.oneof(
  fc.record({ what: fc.constant('set'), name: fc.constantFrom(...TIME_NAMES, ...OTHERS), by: values }),
  fc.record({ what: fc.constant('drop'), name: fc.constantFrom(...TIME_NAMES, ...OTHERS), by: fc.constant(0) }),
  // The whole around the sum of its parts, the first byte around the whole: by a microsecond each way.
  fc.record({ what: fc.constant('whole'), name: fc.constant('ttlb'), by: fc.constantFrom(-6, -1, 0, 1) }),
  fc.record({ what: fc.constant('first'), name: fc.constant('ttfb'), by: fc.constantFrom(-1, 0, 1) }),
);

function edit(columns: Columns, row: number, { what, name, by }: { what: string; name: string; by: number | null }) {
  const { times } = columns;
  const group = ((TIME_NAMES as readonly string[]).includes(name) ? times : columns) as Times;
  const column = group[name];
  if (what === 'drop') delete group[name];
  if (column === undefined) return;
  const at = row % column.length;
  const parts = PHASES.reduce((sum, phase) => sum + (times[phase]?.[at] ?? 0), 0);
  if (what === 'set') column[at] = by;
  if (what === 'whole') column[at] = Math.max(0, parts + (by ?? 0));
  if (what === 'first') column[at] = Math.max(0, (times.ttlb?.[at] ?? 0) + (by ?? 0));
}

const rows = (decoded: DecodedBatch): unknown =>
  decoded.ok ? { ...decoded, columns: batchSamples(decoded.columns) } : decoded;

function readBytes(batch: unknown, buffers: ReusedBuffers): DecodedBatch {
  buffers.reset();
  const bytes = Buffer.from(encodeBytes(batch as WireBatch, (text) => Buffer.from(text)));
  return decodeBytes(bytes, NOW, buffers, NO_LIMITS) as DecodedBatch;
}

test('whatever times there are, both versions accept and reject the same rows', () => {
  const buffers = createReusedBuffers();
  const numRuns = rounds(1000, 3000);
  let [fine, faulty] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(arbitrarySample, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), edits), { maxLength: 3 }),
      (samples, changes) => {
        const batch = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples))) as { columns: Columns };
        for (const [row, change] of changes) edit(batch.columns, row, change);
        const read = readBytes(batch, buffers);
        expect(rows(read)).toEqual(rows(decodeBatch(batch, NOW)));
        if (read.ok && read.rejected.length === 0) fine++;
        else faulty++;
      },
    ),
    { numRuns, seed: 17 },
  );
  expect(Math.min(fine, faulty)).toBeGreaterThan(numRuns / 6);
});

test('what was null in the batch before is not null in this one', () => {
  const buffers = createReusedBuffers();
  const plain = {
    ...PLAIN_SAMPLE,
    times: { ...PLAIN_SAMPLE.times, tls: null },
    unknown: { tls: 'plain_http' as const },
  };
  const batch = encodeBatch(ORIGIN, BATCH_ID, NOW, [plain, PLAIN_SAMPLE]);
  expect(readBytes(batch, buffers)).toMatchObject({ ok: true, rejected: [] });
  const { columns } = batch;
  const known = { ...batch, columns: { ...columns, times: { ...columns.times, tls: [1, 0] } } };
  expect(readBytes(known, buffers)).toMatchObject({ ok: true, rejected: [{ row: 0, code: 'reason_without_null' }] });
});
