import { Client, type Dispatcher } from 'undici';
import type { LoadedRequest, LoadScenario } from '../../analysis/load/loaded-request.ts';
import { type LoadServer, loadConnector, type OpenedConnection, type SessionCache } from './load-connection.ts';

export interface UserOptions {
  readonly servers: Readonly<Record<'http' | 'https', LoadServer | null>>;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Told of the header by which a server refuses to be loaded. */
  readonly refused: () => void;
}

const REFUSAL = 'x-lastbyte-load';

/** One virtual user: sends one request at a time, over connections that it shares with nobody. */
export class VirtualUser {
  readonly #options: UserOptions;
  readonly #kept = new Map<string, Client>();
  readonly #cache: SessionCache = { session: null };
  #opened: OpenedConnection | null = null;
  readonly #described = new Set<LoadScenario>();

  constructor(options: UserOptions) {
    this.#options = options;
  }

  /** Never rejects: whatever comes of it is a result. @param intendedAt when it should have begun */
  async request(scenario: LoadScenario, intendedAt: number): Promise<LoadedRequest> {
    const server = this.#options.servers[scenario.startsWith('https') ? 'https' : 'http'] as LoadServer;
    const isNew = scenario.includes('-new');
    const client = isNew ? this.#open(server, scenario) : this.#keep(server, scenario);
    this.#opened = null;
    const startedAt = performance.now();
    const answer = await this.#send(client, isNew);
    if (isNew) await client.destroy();
    const opened = this.#opened as OpenedConnection | null;
    if (opened !== null) this.#described.add(scenario);
    return {
      scenario,
      intendedAt,
      startedAt,
      connection:
        opened === null
          ? null
          : {
              startedAt: opened.startedAt,
              connectedAt: opened.connectedAt,
              securedAt: opened.securedAt,
              handshake: opened.handshake,
              tls: opened.tls,
            },
      ...answer,
    };
  }

  #keep(server: LoadServer, scenario: LoadScenario): Client {
    const kept = this.#kept.get(scenario) ?? this.#open(server, scenario);
    this.#kept.set(scenario, kept);
    return kept;
  }

  #open(server: LoadServer, scenario: LoadScenario): Client {
    const { timeoutMs } = this.#options;
    const cache = scenario === 'https-new-resumed' ? this.#cache : null;
    return new Client(server.origin, {
      connect: loadConnector(
        server,
        cache,
        (connection) => {
          this.#opened = connection;
        },
        !this.#described.has(scenario),
      ),
      allowH2: server.http2,
      pipelining: 1,
      // A user who thinks keeps the connection for as long as the server does.
      keepAliveTimeout: 600_000,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  #send(client: Client, isNew: boolean): Promise<Answer> {
    const { path, headers, refused } = this.#options;
    const sent = { sentAt: null as number | null, firstByteAt: null as number | null, status: null as number | null };
    let bytes = 0;
    return new Promise((resolve) => {
      const end = (error: string | null) => resolve({ ...sent, endedAt: performance.now(), bytes, error });
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {
          sent.sentAt = performance.now();
        },
        onResponseStart(_, status, answered) {
          sent.firstByteAt = performance.now();
          sent.status = status;
          if (answered[REFUSAL] === 'no') refused();
        },
        onResponseData(_, chunk) {
          bytes += chunk.length;
        },
        onResponseEnd: () => end(null),
        onResponseError: (_, error) => end(codeOf(error)),
      };
      client.dispatch({ method: 'GET', path, headers, reset: isNew }, handler);
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map((client) => client.destroy()));
  }
}

type Answer = Pick<LoadedRequest, 'sentAt' | 'firstByteAt' | 'endedAt' | 'status' | 'bytes' | 'error'>;

/** The code of Node, OpenSSL or undici, such as `ECONNREFUSED`. */
function codeOf(error: Error & { readonly code?: string; readonly cause?: unknown }): string {
  if (error.cause instanceof Error) return codeOf(error.cause);
  return error.code ?? error.name;
}
