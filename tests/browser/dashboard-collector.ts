import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '../../collector/dashboard/build-dashboard.mjs';
import { buildApp } from '../../collector/http/app.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { createOutgoing } from '../../collector/outgoing/outgoing.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import { encodeBatch } from '../../shared/wire/encode-batch.ts';
import type { BatchAnswer } from '../../shared/wire/wire-batch.ts';

/** A real collector on loopback with a freshly built dashboard, which ingested the given samples over HTTP. */
export interface DashboardCollector {
  readonly url: string;
  readonly readToken: string;
  readonly adminToken: string;
  readonly ingestToken: string;
  close(): Promise<void>;
}

export interface DashboardData {
  readonly settings?: Settings;
  /** A browser's status report by client id. */
  readonly status?: (client: string) => BrowserStatus | null;
}

export async function startDashboardCollector(
  samples: readonly StoredSample[],
  { settings, status = () => null }: DashboardData = {},
): Promise<DashboardCollector> {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-dashboard-'));
  await buildDashboard(join(folder, 'dashboard'));
  const store = await openStore({ folder: join(folder, 'data'), as: 'server' });
  if (settings !== undefined) await store.settings.write(settings, null, Date.now(), 'test');
  const tokens: string[] = [];
  for (const role of ['read', 'admin', 'ingest'] as const) {
    const { stored, token } = makeToken(role, 'test', Date.now());
    await store.tokens.create(stored);
    tokens.push(token);
  }
  const [readToken = '', adminToken = '', ingestToken = ''] = tokens;
  const app = await buildApp({
    store,
    clock: Date.now,
    version: '0.1.0',
    dashboardFolder: join(folder, 'dashboard'),
    reportsFolder: join(folder, 'reports'),
    outgoing: createOutgoing({ allow: ['127.0.0.1'] }),
    loopbackOnly: true,
    trustProxy: false,
    tls: null,
    log: null,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  await ingest(url, ingestToken, samples, status);
  return {
    url,
    readToken,
    adminToken,
    ingestToken,
    async close() {
      await app.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends samples as browsers do, one batch per browser; throws unless all are accepted. */
async function ingest(
  url: string,
  token: string,
  samples: readonly StoredSample[],
  status: (client: string) => BrowserStatus | null,
): Promise<void> {
  for (const own of groupByOrigin(samples)) {
    const [first] = own;
    if (first === undefined) continue;
    const response = await fetch(`${url}/api/v1/batches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(encodeBatch(first.origin, randomUUID(), Date.now(), own, status(first.origin.client))),
    });
    const answer = (await response.json()) as Partial<BatchAnswer>;
    if (answer.accepted !== own.length) throw new Error(`not all accepted: ${JSON.stringify(answer).slice(0, 500)}`);
  }
}

function groupByOrigin(samples: readonly StoredSample[]): Iterable<readonly StoredSample[]> {
  const groups = new Map<string, StoredSample[]>();
  for (const sample of samples) {
    const key = `${sample.origin.client} ${sample.origin.site}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  return groups.values();
}
