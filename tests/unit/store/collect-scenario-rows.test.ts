import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ScenarioFacts, toScenarioFacts } from '../../../collector/analysis/tables/scenario-facts.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { collectScenarioRows } from '../../../collector/storage/passes/collect-scenario-rows.ts';
import { createRangeReader } from '../../../collector/storage/passes/range-reader.ts';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';
import { scenarioFacts } from '../views/scenario-facts.ts';
import { arbitrarySample, ORIGIN } from '../wire/arbitrary-sample.ts';

/** By scheme. */
async function collected(chunks: readonly (readonly StoredSample[])[]): Promise<Map<string, ScenarioFacts>> {
  const rows = () =>
    chunks.map((samples) => {
      const batches = samples.map((sample) => ({ origin: sample.origin, columns: toBatchColumns([sample]) }));
      const columns = decodeChunk(encodeHotChunk(batches).bytes);
      return { columns, ranges: null, t0: 0, stored: columns.n, lasting: true };
    });
  const pass = createRangeReader({ blocks: () => [], clientBlocks: () => [], rows }, createCellCatalog(), true).pass();
  const groups = pass.groups(['scheme'], {});
  const found = collectScenarioRows(pass, groups);
  await pass.run();
  return new Map(
    groups.keys.map(({ scheme }, group) => [scheme ?? '', toScenarioFacts(found.slice(group, group + 1))]),
  );
}

const roundTripsOf = async (samples: readonly StoredSample[]) => (await collected([samples])).get('https')?.roundTrips;

/** Sums in another order differ in their last digits. */
function plain(facts: ScenarioFacts | undefined): unknown {
  const sorted = { ...facts, metrics: [...(facts?.metrics ?? [])].sort() };
  return JSON.parse(
    JSON.stringify(sorted, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)),
  );
}

test('the rows of several chunks give the facts of their samples, group by group', async () => {
  const samples = fc
    .sample(arbitrarySample, { numRuns: 900, seed: 3 })
    .map((sample, i): StoredSample => ({ ...sample, origin: { ...ORIGIN, clockStep: [5, 100, 1000][i % 3] ?? 100 } }));
  const onlyIssuer = { version: null, cipher: null, keyExchange: null, issuer: 'Let’s Encrypt' };
  samples.push(makeSample({ tls: onlyIssuer }), makeSample({ scheme: 'http', tls: onlyIssuer }));
  const found = await collected([samples.slice(0, 300), samples.slice(300, 600), samples.slice(600)]);
  const schemes = [...new Set(samples.map(({ scheme }) => scheme))];
  expect([...found.keys()].sort()).toEqual(schemes.sort());
  for (const scheme of schemes) {
    const expected = scenarioFacts(samples.filter((sample) => sample.scheme === scheme));
    // Whatever is not there can't be compared.
    expect(expected).toMatchObject({ throughput: expect.any(Number), serverTime: expect.any(Number) });
    expect(expected.tls.length).toBeGreaterThan(0);
    expect(expected.metrics.size).toBeGreaterThan(0);
    expect(plain(found.get(scheme))).toEqual(plain(expected));
  }
  expect(found.get('https')?.roundTrips).toEqual(expect.any(Number));
});

test('round trips are paired within each connection, so that the paths of near and far hosts do not mix', async () => {
  const near = makeSample({ connection: 'new', times: { tcp: 6000, tls: 12_000 } });
  const far = makeSample({ connection: 'new', host: 'far.example.com', times: { tcp: 100_000, tls: 200_000 } });
  const left = [
    makeSample({ connection: 'new', protocol: 'h3', times: { tcp: 1000, tls: 90_000 } }),
    makeSample({ connection: 'new', times: { tcp: 200, tls: 5700 } }),
    makeSample({ connection: 'new', excluded: 'status', times: { tcp: 1000, tls: 90_000 } }),
    makeSample({ scheme: 'http', connection: 'new', times: { tcp: 1000, tls: null }, unknown: { tls: 'plain_http' } }),
  ];
  expect(await roundTripsOf([near, near, far, ...left, ...left])).toBe(2);
  expect(await roundTripsOf(left)).toBeNull();
});

test.each([
  [200, 5700, 100],
  [4900, 9800, 100],
  [9000, 18_000, 1000],
])('no round trips of %d µs of TCP, %d µs of TLS, a clock of %d µs', async (tcp, tls, clockStep) => {
  expect(
    await roundTripsOf([makeSample({ connection: 'new', times: { tcp, tls }, origin: { clockStep } })]),
  ).toBeNull();
});
