import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { BatchBody } from '../../collector/ingest/body-group.ts';
import { createIngestBodies } from '../../collector/ingest/ingest-bodies.ts';
import { decodeChunk } from '../../collector/storage/columns/decode-chunk.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import type { ClientInfo, Sample, StoredSample } from '../../shared/sample/sample.ts';
import { CONNECTIONS, HANDSHAKES, PROTOCOLS, RESOURCE_TYPES, SCHEMES } from '../../shared/vocabulary/vocabulary.ts';
import { MAX_CELLS } from '../../shared/vocabulary/wire-limits.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ERP = { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*'], serverTimingMetrics: ['cpu'] };

async function opened(): Promise<{ store: Store; database: Database.Database }> {
  const folder = await temporaryFolder();
  const store = await openStore({ folder, as: 'command', clock: () => NOW });
  onTestFinished(() => store.close());
  await store.settings.write({ version: 1, targets: [ERP] }, null, NOW);
  const database = new Database(join(folder, 'lastbyte.sqlite'), { readonly: true });
  onTestFinished(() => void database.close());
  return { store, database };
}

function body(samples: readonly Sample[], origin: Partial<ClientInfo> = {}, key = 'key-1', at = NOW) {
  const batch = encodeBatch({ ...ORIGIN, ...origin }, randomUUID(), at, samples);
  return { bytes: Buffer.from(JSON.stringify(batch)), receivedAt: at, key };
}

async function storedRows({ samples }: Store): Promise<StoredSample[]> {
  const found: StoredSample[] = [];
  for await (const block of samples.scan({ range: { from: 0, to: 8e15 }, filters: {} })) found.push(...block);
  return found;
}

async function cells({ store, database }: { store: Store; database: Database.Database }): Promise<unknown> {
  await store.maintenance.rollUp();
  return database.prepare('SELECT count(*) FROM cell').pluck().get();
}

test('invented protocols and probes share a cell', async () => {
  const { store, database } = await opened();
  const rows = Array.from({ length: 200 }, (_, n) => ({ ...PLAIN_SAMPLE, protocol: `p${n}`, source: `probe-${n}` }));
  await createIngestBodies(store.samples)(rows.map((row) => body([row])));
  expect(await cells({ store, database })).toBe(1);
});

test('a key has room for a limited number of sites; what is beyond is folded and counted', async () => {
  const { store, database } = await opened();
  const client = (n: number) => `attacker-${n}`;
  const bodies = Array.from({ length: 1_500 }, (_, n) => body([PLAIN_SAMPLE], { site: `s${n}`, client: client(n) }));
  const outcomes = await createIngestBodies(store.samples)(bodies);
  const folded = outcomes.reduce((sum, outcome) => sum + (outcome?.ok ? outcome.folded : 0), 0);
  const sites = (await storedRows(store)).map(({ origin }) => origin.site);
  expect(folded).toBe(500);
  expect(sites.filter((site) => site === '(other)')).toHaveLength(500);
  expect(await cells({ store, database })).toBe(1_001);
  // Another key has room of its own, and no label takes none.
  const [other, none] = [body([PLAIN_SAMPLE], { site: 'Ulm' }, 'key-2'), body([PLAIN_SAMPLE], { site: '' })];
  expect(await createIngestBodies(store.samples)([other, none])).toMatchObject([{ folded: 0 }, { folded: 0 }]);
});

test('metrics that the settings do not name cost no column, and are counted', async () => {
  const { store, database } = await opened();
  const invented = Array.from({ length: 40 }, (_, n) => {
    const names = Array.from({ length: 32 }, (_name, place) => [`m${n}-${place}`, 1]);
    return body([{ ...PLAIN_SAMPLE, metrics: Object.fromEntries(names) }]);
  });
  const honest = body(Array.from({ length: 1_000 }, () => PLAIN_SAMPLE));
  const outcomes = await createIngestBodies(store.samples)([...invented, honest]);
  expect(outcomes.map((outcome) => outcome?.ok && outcome.droppedMetrics)).toEqual([...invented.map(() => 32), 0]);
  const bytes = database.prepare('SELECT max(length(bytes)) FROM chunk').pluck().get();
  expect(bytes).toBeLessThan(100_000);
  expect((await storedRows(store)).flatMap(({ metrics }) => Object.keys(metrics))).toEqual(
    Array.from({ length: 1_000 }, () => 'cpu'),
  );
});

test('without settings no metric is expected', async () => {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', clock: () => NOW });
  onTestFinished(() => store.close());
  expect(await createIngestBodies(store.samples)([body([PLAIN_SAMPLE])])).toMatchObject([
    { answer: { accepted: 1 }, droppedMetrics: 1 },
  ]);
});

/** Rows that differ in closed words, as many as there are. */
const COMBINED: readonly Sample[] = RESOURCE_TYPES.flatMap((type) =>
  CONNECTIONS.flatMap((connection) =>
    PROTOCOLS.flatMap((protocol) =>
      SCHEMES.flatMap((scheme) =>
        HANDSHAKES.map((handshake) => ({ ...PLAIN_SAMPLE, type, connection, protocol, scheme, handshake })),
      ),
    ),
  ),
);

function combined(host: string, key: string): BatchBody[] {
  const rows = COMBINED.map((sample) => ({ ...sample, host }));
  return [rows.slice(0, 4_000), rows.slice(4_000)].map((part) => body(part, {}, key));
}

test('combinations of closed words share coarser cells once one address has used up its room', async () => {
  const { store, database } = await opened();
  const hosts = Array.from({ length: 6 }, (_, n) => `h${n}.example.com`);
  const outcomes = await createIngestBodies(store.samples)(hosts.flatMap((host) => combined(host, 'key-1')));
  const sent = hosts.length * COMBINED.length;
  const coarsened = outcomes.reduce((sum, outcome) => sum + (outcome?.ok ? outcome.coarsened : 0), 0);
  expect(coarsened).toBe(sent - MAX_CELLS / 2);
  // No sample is lost, and none is told to be what it is not.
  const types = await byType(store);
  expect(types).toEqual(Object.fromEntries(RESOURCE_TYPES.map((type) => [type, sent / RESOURCE_TYPES.length])));
  const count = await cells({ store, database });
  expect(count).toBeGreaterThan(MAX_CELLS / 2);
  expect(count).toBeLessThan(MAX_CELLS / 2 + 2_000);
  expect(await store.maintenance.check()).toEqual([]);
  // What is known stays, and another address has room of its own.
  const [known, fresh] = [
    { ...PLAIN_SAMPLE, host: hosts[0] as string },
    { ...PLAIN_SAMPLE, host: 'erp.example.com' },
  ];
  const after = [body([known]), body([fresh]), { ...body([fresh]), network: 2 }];
  expect(await createIngestBodies(store.samples)(after)).toMatchObject([
    { coarsened: 0 },
    { coarsened: 1 },
    { coarsened: 0 },
  ]);
});

async function byType({ samples }: Store): Promise<Record<string, number>> {
  const { cells: groups } = await samples.aggregate({ range: { from: 0, to: 8e15 }, filters: {}, by: ['type'] });
  return Object.fromEntries(groups.map(({ key, samples: n }) => [key.type, n]));
}

test('neither a folded name nor one that no row has is stored', async () => {
  const { store, database } = await opened();
  const invented = (n: number) => ({ ...PLAIN_SAMPLE, target: `t${n}`, host: `h${n}.test`, template: `/page-${n}` });
  const [outcome] = await createIngestBodies(store.samples)([body(Array.from({ length: 300 }, (_, n) => invented(n)))]);
  const kept = 300 - (outcome?.ok ? outcome.folded : 0);
  expect(kept).toBe(20);
  const batch = encodeBatch(ORIGIN, randomUUID(), NOW, [PLAIN_SAMPLE]);
  const host = [...(batch.dictionaries.host ?? []), ...Array.from({ length: 900 }, (_, n) => `unused-${n}.test`)];
  const padded = { ...batch, dictionaries: { ...batch.dictionaries, host } };
  const sent = { bytes: Buffer.from(JSON.stringify(padded)), receivedAt: NOW, key: 'key-1' };
  expect(await createIngestBodies(store.samples)([sent])).toMatchObject([{ ok: true }]);
  const chunks = database.prepare('SELECT bytes FROM chunk ORDER BY id').pluck().all() as Buffer[];
  expect(chunks.map((bytes) => decodeChunk(bytes).text('host').strings.length)[0]).toBe(kept + 1);
  await store.maintenance.rollUp();
  const words = database.prepare("SELECT count(*) FROM word WHERE kind = 'host'").pluck().get();
  expect(words).toBe(kept + 2);
});

test('issuers of certificates are bounded for a key; what is beyond is folded and counted', async () => {
  const { store } = await opened();
  const tls = (issuer: string) => ({ version: 'TLSv1.3', cipher: null, keyExchange: null, issuer });
  const rows = Array.from({ length: 1_500 }, (_, n) => ({ ...PLAIN_SAMPLE, tls: tls(`CN=${n}`) }));
  const bodies = Array.from({ length: 30 }, (_, n) =>
    body(rows.slice(n * 50, n * 50 + 50), { client: `attacker-${n}` }),
  );
  const outcomes = await createIngestBodies(store.samples)(bodies);
  expect(outcomes.reduce((sum, outcome) => sum + (outcome?.ok ? outcome.folded : 0), 0)).toBe(500);
  const issuers = (await storedRows(store)).map((row) => row.tls?.issuer);
  expect(issuers.filter((issuer) => issuer === '(other)')).toHaveLength(500);
  expect(await createIngestBodies(store.samples)([body([{ ...PLAIN_SAMPLE, tls: tls('CN=0') }])])).toMatchObject([
    { folded: 0 },
  ]);
});
