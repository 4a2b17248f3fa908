import type { SummaryDocument } from '../../analysis/summary/summary-document.ts';
import type { AppDeps } from '../../http/api/app-deps.ts';
import { makeToken } from '../../http/auth/token-text.ts';
import { type RunningServer, startServer } from '../../http/server.ts';
import { CommandFailure } from '../../lib/failure.ts';
import { openStore } from '../../storage/open-store.ts';
import type { Role } from '../../storage/store.ts';
import { DEMO_SETTINGS } from './demo-apps.ts';

const TOKEN_LABEL = 'demo';

export interface DemoCollector {
  /** Such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  readonly ingestKey: string;
  /** Opens the dashboard signed in. The token is in the fragment, which browsers never send. */
  readonly dashboardUrl: string;
  /** `query` as in `GET /api/v1/summary`. */
  summary(query: URLSearchParams): Promise<SummaryDocument>;
  /** Revokes its tokens; the data stay. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface DemoCollectorOptions extends Pick<AppDeps, 'clock' | 'version' | 'dashboardFolder'> {
  readonly folder: string;
  /** 0 for any free one. */
  readonly port: number;
}

/** The real collector on the embedded store, with the demo's targets in its settings. Throws a StoreError or CommandFailure. */
export async function startDemoCollector(options: DemoCollectorOptions): Promise<DemoCollector> {
  const store = await openStore({ folder: options.folder, as: 'server' });
  let server: RunningServer | null = null;
  const tokenIds: string[] = [];
  let closed: Promise<void> | null = null;

  async function createToken(role: Role): Promise<string> {
    const { stored, token } = makeToken(role, TOKEN_LABEL, options.clock());
    await store.tokens.create(stored);
    tokenIds.push(stored.id);
    return token;
  }

  async function shutDown(): Promise<void> {
    await server?.close();
    for (const id of tokenIds) await store.tokens.revoke(id);
    await store.close();
  }

  try {
    server = await startServer(
      { ...options, store, loopbackOnly: true, trustProxy: false, tls: null, log: null },
      { host: '127.0.0.1', port: options.port },
    );
    const origin = server.url;
    const [admin, ingestKey] = [await createToken('admin'), await createToken('ingest')];
    const authorization = `Bearer ${admin}`;
    await send(`${origin}/api/v1/settings`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(DEMO_SETTINGS),
    });
    return {
      origin,
      ingestKey,
      dashboardUrl: `${origin}/#token=${admin}`,
      summary: async (query) =>
        (await send(`${origin}/api/v1/summary?${query}`, { headers: { authorization } })) as SummaryDocument,
      close() {
        closed ??= shutDown();
        return closed;
      },
    };
  } catch (error) {
    await shutDown();
    throw inUse(error, options.port) ?? error;
  }
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok)
    throw new CommandFailure(`the collector responded with ${response.status}: ${text}`, 'Please report this.');
  return text === '' ? null : JSON.parse(text);
}

function inUse(error: unknown, port: number): CommandFailure | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return new CommandFailure(`port ${port} is in use`, 'Choose another with --port.');
  if (code === 'EACCES') return new CommandFailure(`port ${port} may not be opened`, 'Choose one above 1023.');
  return null;
}
