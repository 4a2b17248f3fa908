import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runExport } from '../../collector/exchange/export/run-export.ts';
import { decodeJson } from '../../collector/ingest/decode/decode-json.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { NULL, NUMBER_INDEX } from '../../shared/sample/sample-columns.ts';
import { TIME_NAMES } from '../../shared/vocabulary/time-names.ts';
import { MAX_AGE_MS, MAX_AHEAD_MS, MAX_TIME } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { countedTurns, heardBrowsers } from '../collector/read-fleet.ts';
import { arbitrarySample, NOW, ORIGIN } from '../unit/wire/arbitrary-sample.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import type { Fuzzer } from './fuzz.ts';
import { type Json, mutated, oddText, refuseHalfCharacters, spoilt } from './mutations.ts';

const BATCHES = 8;
const SEAL_AT = NOW + 40 * 86_400_000;
const EVERYTHING = { range: { from: 0, to: 8e15 }, filters: {} };

const wireBatch = fc
  .record({
    samples: fc.array(arbitrarySample, { maxLength: 6 }),
    id: fc.uuid(),
    site: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('', 'Köln') }, oddText),
    ageMs: fc.constantFrom(0, 500, 86_400_000, -500_000),
    told: fc.boolean(),
  })
  .map(({ samples, id, site, ageMs, told }) =>
    encodeBatch({ ...ORIGIN, site }, id, NOW - ageMs, samples, told ? STATUS : null),
  );

const body = spoilt(
  mutated(wireBatch as unknown as fc.Arbitrary<Json>, 3).map((batch) => Buffer.from(JSON.stringify(batch))),
);

/** Bodies of `POST /api/v1/batches`, one by one: thousands of them in the time that a store takes some dozens. */
export const jsonFuzzer: Fuzzer<Buffer> = {
  name: 'json',
  arbitrary: body,
  holds: async (bytes) => mustBeVerdict(bytes),
  toCorpus: readable,
  fromCorpus: bytesOf,
};

/** The same in groups, through all that a store does with them. */
export const wireFuzzer: Fuzzer<readonly Buffer[]> = {
  name: 'wire',
  arbitrary: fc.array(body, { minLength: 1, maxLength: BATCHES }),
  holds: aStoreTakesThemIn,
  toCorpus: (bodies) => bodies.map(readable),
  fromCorpus: (bodies: readonly Readable[]) => bodies.map(bytesOf),
};

/** As text where they are text: a person has to read the corpus. */
type Readable = string | { readonly base64: string };

function readable(bytes: Buffer): Readable {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

function bytesOf(one: Readable): Buffer {
  return typeof one === 'string' ? Buffer.from(one) : Buffer.from(one.base64, 'base64');
}

/** It never throws, no row is lost uncounted, and what is accepted can be stored as text. */
function mustBeVerdict(bytes: Buffer): void {
  const decoded = decodeJson(bytes, NOW);
  if (!decoded.ok) return;
  const { columns, rejected } = decoded;
  const { n, at, texts, numbers, metrics } = columns;
  for (const column of [at, ...texts.map((text) => text?.codes), ...numbers, ...metrics.map(([, values]) => values)]) {
    if (column !== undefined && column.length !== n) throw new Error('a column of another length');
  }
  for (const time of at) {
    if (!(time >= NOW - MAX_AGE_MS && time <= NOW + MAX_AHEAD_MS)) throw new Error(`the time ${time}`);
  }
  for (const name of TIME_NAMES) {
    for (const time of numbers[NUMBER_INDEX[name]] ?? []) {
      if (!(time >= NULL && time <= MAX_TIME && Number.isInteger(time))) throw new Error(`${name} of ${time}`);
    }
  }
  refuseHalfCharacters({ ...decoded, columns: batchSamples(columns) });
  if (columns.n + rejected.length !== (JSON.parse(bytes.toString('utf8')) as { n: unknown }).n)
    throw new Error('a row is neither accepted nor rejected');
}

/** Taken in, rolled up, finalized, checked, exported and erased, in a store of its own: what one batch does, it does to all. */
async function aStoreTakesThemIn(bodies: readonly Buffer[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-fuzz-'));
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  try {
    await createIngestBodies(store.samples)(bodies.map((bytes) => ({ bytes, receivedAt: NOW, key: 'fuzz' })));
    await store.maintenance.rollUp();
    await store.maintenance.finalize(SEAL_AT);
    await mustBeSound(() => store.maintenance.check());
    let client: string | undefined;
    for await (const block of store.samples.scan(EVERYTHING)) {
      refuseHalfCharacters(block);
      client ??= block[0]?.origin.client;
    }
    refuseHalfCharacters(await heardBrowsers(store, EVERYTHING.range));
    refuseHalfCharacters(await countedTurns(store, EVERYTHING.range));
    for (const format of ['har', 'csv'] as const) {
      const { bytes } = await runExport(
        { store, version: 'fuzz', viewer: SEES_EVERYTHING, clock: () => NOW },
        { ...EVERYTHING, format },
      );
      for await (const _piece of bytes);
    }
    if (client === undefined) return;
    await store.maintenance.erase({ client });
    await mustBeSound(() => store.maintenance.check());
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function mustBeSound(check: () => Promise<readonly string[]>): Promise<void> {
  const faults = await check();
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
