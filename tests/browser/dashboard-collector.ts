import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '../../collector/dashboard/build-dashboard.mjs';
import { buildApp } from '../../collector/http/app.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { openStore } from '../../collector/store/open-store.ts';
import type { AcceptedBatch } from '../../collector/store/store.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';

/** A real collector on loopback with a freshly built dashboard and the given samples in its store. */
export interface DashboardCollector {
  readonly url: string;
  readonly readToken: string;
  readonly adminToken: string;
  readonly ingestToken: string;
  add(samples: readonly StoredSample[]): Promise<void>;
  close(): Promise<void>;
}

export async function startDashboardCollector(samples: readonly StoredSample[], port = 0): Promise<DashboardCollector> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-dashboard-'));
  await buildDashboard(join(folder, 'dashboard'));
  const store = await openStore({ folder: join(folder, 'data'), as: 'server' });
  const tokens: string[] = [];
  for (const role of ['read', 'admin', 'ingest'] as const) {
    const { stored, token } = makeToken(role, 'test', Date.now());
    await store.tokens.create(stored);
    tokens.push(token);
  }
  const [readToken = '', adminToken = '', ingestToken = ''] = tokens;
  const add = async (more: readonly StoredSample[]) => void (await store.samples.append(batchesOf(more)));
  await add(samples);
  const app = await buildApp({
    store,
    clock: Date.now,
    version: '0.1.0',
    dashboardFolder: join(folder, 'dashboard'),
    loopbackOnly: true,
    trustProxy: false,
    tls: null,
    log: null,
  });
  const url = await app.listen({ host: '127.0.0.1', port });
  return {
    url,
    readToken,
    adminToken,
    ingestToken,
    add,
    async close() {
      await app.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One batch a browser, as it would have sent them. */
function batchesOf(samples: readonly StoredSample[]): readonly AcceptedBatch[] {
  const byClient = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const list = byClient.get(sample.origin.client) ?? [];
    list.push(sample);
    byClient.set(sample.origin.client, list);
  }
  return [...byClient.values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    return [{ id: randomUUID(), receivedAt: Date.now(), clockCorrection: 0, origin: first.origin, samples: list }];
  });
}
