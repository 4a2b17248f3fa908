import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { EXPORT_FORMAT_NAMES } from '../../collector/exchange/export/export-formats.ts';
import { runExport } from '../../collector/exchange/export/run-export.ts';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { TEXT_INDEX } from '../../shared/sample/sample-columns.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { browserId } from './fill-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RANGE = { from: NOW - 8 * DAY, to: NOW + 1 };
const ALL = { range: RANGE, filters: {} };
const BROWSERS = 4;
/** Each run commits, and stores are opened again in between. */
const PATIENT = { timeout: 240_000 };

/** Any UTF-16 code units: halves of surrogate pairs, NUL, what databases and formats give a meaning to. */
const unit = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffd, 0xfffe, 0, 0x7f, 0x2028, 0x27, 0x25),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }) },
);
const text = fc.array(unit, { maxLength: 6 }).map((units) => String.fromCharCode(...units));
/** Few enough to come again: what was stored once is looked for then. */
const site = fc.oneof(
  text,
  fc.constantFrom('ulm', 'bonn', 'kiel', 'köln'),
  fc.constantFrom('\ud800', '\udc00', '\ufffd', 'K\ud800ln', 'Köln', ''),
);
/** Mostly sound, or hardly a row would be taken in. */
const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('x', 'é', '\u{1f600}') }, { weight: 1, arbitrary: text });
const age = fc.integer({ min: 0, max: 6 * DAY });
const browser = fc.integer({ min: 1, max: BROWSERS });

/** What one hostile or broken browser may send. */
const body = fc
  .record({
    site,
    age,
    browser,
    template: word,
    error: word,
    issuer: word,
    word,
    rows: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ age: ago, browser: number, rows, ...texts }) => {
    const sample = { ...PLAIN_SAMPLE, error: 'x', tls: { version: 'x', cipher: 'x', keyExchange: 'x', issuer: 'x' } };
    const samples = Array.from({ length: rows }, (_, i) => ({ ...sample, at: NOW - ago - i }));
    const origin = { ...ORIGIN, client: browserId(number), site: texts.site };
    const batch = encodeBatch(origin, randomUUID(), NOW, samples, { ...STATUS, lost: { [texts.word]: 1 } });
    const dictionaries = {
      ...batch.dictionaries,
      template: [`/${texts.template}`],
      error: [texts.error],
      tlsIssuer: [texts.issuer],
      connectionEvidence: [texts.word],
    };
    return { bytes: Buffer.from(JSON.stringify({ ...batch, dictionaries })), receivedAt: NOW, key: 'k' };
  });

async function opened(folder: string): Promise<Store> {
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  onTestFinished(() => store.close());
  return store;
}

/** Everything that reads what was stored, to the end. */
async function readsAll(store: Store): Promise<number> {
  let n = 0;
  for await (const block of store.samples.scan(ALL)) n += block.length;
  const { cells } = await store.samples.aggregate({ ...ALL, by: ['site', 'host'] });
  expect(cells.reduce((sum, { samples }) => sum + samples, 0)).toBe(n);
  for (const { key } of cells) expect(key.site?.isWellFormed() ?? true).toBe(true);
  for (const format of EXPORT_FORMAT_NAMES) {
    const { bytes } = await runExport({ store, version: '1', viewer: SEES_EVERYTHING }, { format, ...ALL });
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    if (format === 'har') expect(JSON.parse(Buffer.concat(pieces).toString()).log.entries).toHaveLength(n);
  }
  return n;
}

async function expectSound(folder: string): Promise<void> {
  const store = await opened(folder);
  await store.maintenance.finalize(NOW);
  expect(await store.maintenance.check()).toEqual([]);
  let left = await readsAll(store);
  expect(left).toBeGreaterThan(0);
  for (let number = 1; number <= BROWSERS; number++)
    left -= (await store.maintenance.erase({ client: browserId(number) })).samples;
  expect(left).toBe(0);
  expect(await readsAll(store)).toBe(0);
  expect(await store.maintenance.check()).toEqual([]);
  expect(await store.maintenance.quarantine()).toEqual([]);
  await store.close();
}

test(
  'whatever texts come over the wire, what is stored is read, rolled up, checked, exported and erased',
  PATIENT,
  async () => {
    const folder = await temporaryFolder();
    let store = await opened(folder);
    let runs = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 4 }), async (bodies) => {
        if (++runs % 15 === 0) {
          await store.close();
          store = await opened(folder);
        }
        const outcomes = await createIngestBodies(store.samples)(bodies);
        for (const outcome of outcomes) if (outcome.ok) accepted += outcome.answer.accepted;
        await store.maintenance.rollUp();
      }),
      { numRuns: 60, seed: 21, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(50);
    expect(await store.maintenance.quarantine()).toEqual([]);
    for await (const block of store.samples.scan(ALL)) {
      for (const sample of block) {
        const texts = [sample.origin.site, sample.template, sample.error ?? '', sample.tls?.issuer ?? ''];
        expect(texts.every((one) => one.isWellFormed())).toBe(true);
      }
    }
    await store.close();
    await expectSound(folder);
  },
);

test('the same of a folder that an older Lastbyte filled with them', PATIENT, async () => {
  const folder = await temporaryFolder();
  let store = await opened(folder);
  let runs = 0;
  const old = fc.record({ site, template: text, age, browser });
  await fc.assert(
    fc.asyncProperty(fc.array(old, { minLength: 1, maxLength: 4 }), async (batches) => {
      if (++runs % 15 === 0) {
        await store.close();
        store = await opened(folder);
      }
      await store.samples.append(
        batches.map(({ site: label, template, age: ago, browser: number }) => {
          const columns = toBatchColumns([{ ...PLAIN_SAMPLE, at: NOW - ago }]);
          const texts = [...columns.texts];
          // Past the judge of today.
          texts[TEXT_INDEX.template] = { strings: [`/${template}`], codes: Int32Array.of(0) };
          const origin = { ...ORIGIN, client: browserId(number), site: label };
          return { id: randomUUID(), receivedAt: NOW, clockCorrection: 0, origin, columns: { ...columns, texts } };
        }),
      );
      await store.maintenance.rollUp();
    }),
    { numRuns: 60, seed: 22, endOnFailure: true },
  );
  await store.close();
  await expectSound(folder);
});
