import { Client, type Dispatcher } from 'undici';
import type { LoadedRequest, LoadScenario } from '../../analysis/load/loaded-request.ts';
import { type LoadServer, loadConnector, type OpenedConnection, type SessionCache } from './load-connection.ts';

export interface UserOptions {
  readonly servers: Readonly<Record<'http' | 'https', LoadServer | null>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Told of the header by which a server refuses to be loaded. */
  readonly refused: () => void;
}

const REFUSAL = 'x-lastbyte-load';

/** One virtual user: sends one request at a time, over connections that it shares with nobody. */
export class VirtualUser {
  readonly #options: UserOptions;
  readonly #kept = new Map<string, Client>();
  readonly #open = new Set<Client>();
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
    const client = isNew ? this.#make(server, scenario) : this.#keep(server, scenario);
    this.#opened = null;
    const startedAt = performance.now();
    const answer = await this.#send(client, server.path, isNew);
    if (isNew) await this.#end(client);
    const opened = this.#opened as OpenedConnection | null;
    if (opened !== null) this.#described.add(scenario);
    const { startedAt: from, connectedAt, securedAt, handshake, tls } = opened ?? ({} as OpenedConnection);
    const connection = opened && { startedAt: from, connectedAt, securedAt, handshake, tls };
    return { scenario, intendedAt, startedAt, connection, ...answer };
  }

  #keep(server: LoadServer, scenario: LoadScenario): Client {
    const kept = this.#kept.get(scenario) ?? this.#make(server, scenario);
    this.#kept.set(scenario, kept);
    return kept;
  }

  #make(server: LoadServer, scenario: LoadScenario): Client {
    const { timeoutMs, http2 } = server;
    const cache = scenario === 'https-new-resumed' ? this.#cache : null;
    const describe = !this.#described.has(scenario);
    const noted = (connection: OpenedConnection) => {
      this.#opened = connection;
    };
    const client = new Client(server.origin, {
      connect: loadConnector(server, cache, noted, describe),
      allowH2: http2,
      pipelining: 1,
      // A user who thinks keeps the connection for as long as the server does.
      keepAliveTimeout: 600_000,
      keepAliveTimeoutThreshold: 0,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    this.#open.add(client);
    return client;
  }

  #send(client: Client, path: string, isNew: boolean): Promise<Answer> {
    const { headers, refused } = this.#options;
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
          if (String(answered[REFUSAL]).toLowerCase() === 'no') refused();
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

  async #end(client: Client): Promise<void> {
    this.#open.delete(client);
    await client.destroy();
  }

  /** Ends whatever is under way, with the code UNFINISHED. Another request opens connections anew. */
  async close(): Promise<void> {
    this.#kept.clear();
    await Promise.all([...this.#open].map((client) => this.#end(client)));
  }
}

type Answer = Pick<LoadedRequest, 'sentAt' | 'firstByteAt' | 'endedAt' | 'status' | 'bytes' | 'error'>;

/** Of what was under way when a load, or its part, ended. */
export const UNFINISHED = 'UNFINISHED';

/** The code of Node, OpenSSL or undici, such as `ECONNREFUSED`. */
function codeOf(error: Error & { readonly code?: string; readonly cause?: unknown }): string {
  if (error.cause instanceof Error) return codeOf(error.cause);
  return error.code === 'UND_ERR_DESTROYED' ? UNFINISHED : (error.code ?? error.name);
}
