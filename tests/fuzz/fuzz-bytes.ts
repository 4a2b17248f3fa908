import fc from 'fast-check';
import { NO_LIMITS } from '../../collector/ingest/decode/byte-columns.ts';
import { createReusedBuffers } from '../../collector/ingest/decode/column-buffers.ts';
import { decodeBytes } from '../../collector/ingest/decode/decode-bytes.ts';
import { NULL, NUMBER_INDEX, TEXT_NAMES } from '../../shared/sample/sample-columns.ts';
import { seededRandom } from '../../shared/statistics/seeded-random.ts';
import { TIME_NAMES } from '../../shared/vocabulary/time-names.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS, MAX_TIME } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { encodeBytes } from '../../shared/wire/encode-bytes.ts';
import { arbitrarySample, BATCH_ID, NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { spoilBytes } from './spoil-bytes.ts';

/** Bodies that are spoilt, each once or twice. */
const BODIES = 200;
const MAX_SPOILS = 2;

const bytesOf = (batch: Parameters<typeof encodeBytes>[0]): Buffer =>
  Buffer.from(encodeBytes(batch, (text) => new TextEncoder().encode(text)));

/** Batches in version 2. */
export const bytesBatch: fc.Arbitrary<Buffer> = fc
  .record({ samples: fc.array(arbitrarySample, { maxLength: 6 }), told: fc.boolean() })
  .map(({ samples, told }) => bytesOf(encodeBatch(ORIGIN, BATCH_ID, NOW, samples, told ? STATUS : null)));

export interface BytesFuzzed {
  /** With a structure that was refused, or at least one row rejected, or neither. */
  readonly refused: number;
  readonly rejecting: number;
  readonly accepted: number;
}

/**
 * Millions of spoilt batches, for the decoder alone: without the shrinking of fast-check, which costs ten times as much as the
 * decoder. Throws with the body of the first that does harm.
 */
export function fuzzBytes(cases: number, seed: number): BytesFuzzed {
  const bodies = fc.sample(bytesBatch, { numRuns: BODIES, seed });
  const random = seededRandom(seed);
  const buffers = createReusedBuffers();
  const counts = { refused: 0, rejecting: 0, accepted: 0 };
  const { stackTraceLimit } = Error;
  // Refusals are errors within the decoder; collecting their stacks takes most of the time.
  Error.stackTraceLimit = 0;
  for (let i = 0; i < cases; i++) {
    let body = bodies[i % BODIES] as Buffer;
    for (let spoil = Math.floor(random() * MAX_SPOILS); spoil >= 0; spoil--) body = spoilBytes(body, random);
    buffers.reset();
    try {
      counts[mustBeVerdict(body, buffers)]++;
    } catch (error) {
      throw new Error(`case ${i} of seed ${seed} does harm: ${body.toString('base64')}`, { cause: error });
    }
  }
  Error.stackTraceLimit = stackTraceLimit;
  return counts;
}

/** Whatever the bytes: a verdict, no row lost uncounted, and nothing accepted that is out of range. */
function mustBeVerdict(body: Buffer, buffers: ReturnType<typeof createReusedBuffers>): keyof BytesFuzzed {
  const decoded = decodeBytes(body, NOW, buffers, NO_LIMITS);
  if (decoded === null) throw new Error('no verdict');
  if (!decoded.ok) return 'refused';
  const { columns, rejected, clockCorrection } = decoded;
  const { n, at, texts, numbers, metrics } = columns;
  if (n + rejected.length !== body.readUInt16LE(6)) throw new Error('a row is neither accepted nor rejected');
  for (const time of at) {
    if (!(time >= NOW - MAX_AGE_MS && time <= NOW + MAX_AHEAD_MS)) throw new Error(`the time ${time}`);
  }
  texts.forEach((text, index) => {
    for (const code of text?.codes ?? []) {
      if (code !== NULL && !text?.strings[code]?.isWellFormed()) throw new Error(`${TEXT_NAMES[index]} ${code}`);
    }
  });
  for (const name of TIME_NAMES) {
    for (const time of numbers[NUMBER_INDEX[name]] ?? []) {
      if (!(time >= NULL && time <= MAX_TIME && Number.isInteger(time))) throw new Error(`${name} of ${time}`);
    }
  }
  for (const column of [at, ...texts.map((text) => text?.codes), ...numbers, ...metrics.map(([, values]) => values)]) {
    if (column !== undefined && column.length !== n) throw new Error('a column of another length');
  }
  if (!Number.isSafeInteger(clockCorrection)) throw new Error('no clock');
  return rejected.length > 0 ? 'rejecting' : 'accepted';
}
