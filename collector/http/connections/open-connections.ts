import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  readonly address: string;
  readonly network: string;
  /** Over TLS, the socket that its requests arrive on, once it exists. */
  socket: Socket;
  /** Its TLS handshake is complete, or it needs none. */
  isSecured: boolean;
  requestsUnderWay: number;
  /** Bytes received when it became idle; more are the beginning of a request. Null while it is busy. */
  idleSince: number | null;
  grace: NodeJS.Timeout | null;
  /** Where it is listed; null once it is closed. */
  groups: Groups | null;
}

/** The headers of a request took longer than the grace period: the rest gets no second one. */
const ANY_BYTES = Number.POSITIVE_INFINITY;

type Groups = Readonly<Record<'addresses' | 'networks', ConnectionGroups<Connection>>>;

const newGroups = (): Groups => ({
  addresses: new ConnectionGroups(({ address }) => address),
  networks: new ConnectionGroups(({ network }) => network),
});

/**
 * Which connections are idle, the longest idle first. A connection is busy during a request, and for a grace period after
 * it was opened and after a request has begun to arrive; over TLS also from its first byte to the end of its handshake,
 * which has limits of its own.
 */
export class OpenConnections {
  readonly idle = newGroups();
  /** The longest busy first. */
  readonly busy = newGroups();
  readonly #graceMs: number;
  /** By name, until the handshake is complete. */
  readonly #unsecured = new Map<string, Connection>();
  readonly #ofSocket = new WeakMap<Socket, Connection>();
  readonly #tls: boolean;
  #size = 0;

  /** @param server without a request listener */
  constructor(server: Server, { graceMs, tls }: { readonly graceMs: number; readonly tls: boolean }) {
    this.#graceMs = graceMs;
    this.#tls = tls;
    server.on('secureConnection', (secured: Socket) => {
      const connection = this.#unsecured.get(connectionName(secured));
      if (connection !== undefined) this.#secure(connection, secured);
    });
    server.on('request', (request, response) => {
      const connection = this.#ofSocket.get(request.socket);
      if (connection === undefined) return;
      connection.requestsUnderWay++;
      this.#work(connection);
      response.once('close', () => {
        connection.requestsUnderWay--;
        if (connection.requestsUnderWay === 0) this.#rest(connection, connection.socket.bytesRead);
      });
    });
  }

  get size(): number {
    return this.#size;
  }

  sizeOf(kind: keyof Groups, key: string): number {
    return this.idle[kind].size(key) + this.busy[kind].size(key);
  }

  add(socket: Socket, address: string, network: string): void {
    const connection: Connection = {
      address,
      network,
      socket,
      isSecured: !this.#tls,
      requestsUnderWay: 0,
      idleSince: null,
      grace: null,
      groups: this.busy,
    };
    this.#size++;
    this.#ofSocket.set(socket, connection);
    const name = connectionName(socket);
    if (this.#tls) this.#unsecured.set(name, connection);
    socket.once('close', () => {
      if (this.#unsecured.get(name) === connection) this.#unsecured.delete(name);
      this.#remove(connection);
    });
    this.#awaitRequest(connection);
  }

  /** Makes an idle connection busy for a grace period if a request has begun to arrive on it. */
  wakeIfBegun(connection: Connection): boolean {
    if (connection.idleSince === null || connection.socket.bytesRead <= connection.idleSince) return false;
    this.#awaitRequest(connection);
    return true;
  }

  close(connection: Connection): void {
    // The socket's `close` event comes later, and the slot is needed now.
    this.#remove(connection);
    connection.socket.destroy();
  }

  #secure(connection: Connection, secured: Socket): void {
    this.#unsecured.delete(connectionName(secured));
    connection.socket = secured;
    connection.isSecured = true;
    this.#ofSocket.set(secured, connection);
    this.#awaitRequest(connection);
  }

  #awaitRequest(connection: Connection): void {
    this.#work(connection);
    if (connection.groups === null) return;
    connection.grace = setTimeout(() => {
      if (connection.isSecured) this.#rest(connection, ANY_BYTES);
      // Without a first byte there is no handshake yet.
      else if (connection.socket.bytesRead === 0) this.#rest(connection, 0);
    }, this.#graceMs).unref();
  }

  #work(connection: Connection): void {
    connection.idleSince = null;
    this.#move(connection, this.busy);
  }

  #rest(connection: Connection, bytes: number): void {
    connection.idleSince = bytes;
    this.#move(connection, this.idle);
  }

  #remove(connection: Connection): void {
    if (connection.groups !== null) this.#size--;
    this.#move(connection, null);
  }

  #move(connection: Connection, to: Groups | null): void {
    if (connection.grace !== null) clearTimeout(connection.grace);
    connection.grace = null;
    const from = connection.groups;
    // A closed connection stays closed, whatever event follows, such as the end of its last response.
    if (from === null) return;
    from.addresses.delete(connection);
    from.networks.delete(connection);
    connection.groups = to;
    to?.addresses.add(connection);
    to?.networks.add(connection);
  }
}

/** Groups in insertion order, with constant-time access to the largest. */
export class ConnectionGroups<Member> {
  readonly #keyOf: (member: Member) => string;
  readonly #groups = new Map<string, Set<Member>>();
  /** Keys of the groups by their size. Sizes change by one, so there are no gaps below the largest. */
  readonly #bySize: Set<string>[] = [new Set()];

  constructor(keyOf: (member: Member) => string) {
    this.#keyOf = keyOf;
  }

  add(member: Member): void {
    const key = this.#keyOf(member);
    const group = this.#groups.get(key) ?? new Set();
    if (group.has(member)) return;
    this.#groups.set(key, group.add(member));
    this.#resize(key, group.size - 1, group.size);
  }

  delete(member: Member): void {
    const key = this.#keyOf(member);
    const group = this.#groups.get(key);
    if (group === undefined || !group.delete(member)) return;
    if (group.size === 0) this.#groups.delete(key);
    this.#resize(key, group.size + 1, group.size);
  }

  size(key: string): number {
    return this.#groups.get(key)?.size ?? 0;
  }

  first(key: string): Member | undefined {
    return firstOf(this.#groups.get(key));
  }

  largest(): string | undefined {
    return firstOf(this.#bySize.at(-1));
  }

  #resize(key: string, from: number, to: number): void {
    this.#bySize[from]?.delete(key);
    if (to > 0) {
      const others = this.#bySize[to] ?? new Set();
      this.#bySize[to] = others.add(key);
    }
    while (this.#bySize.length > 1 && this.#bySize.at(-1)?.size === 0) this.#bySize.pop();
  }
}

function firstOf<Item>(items: ReadonlySet<Item> = new Set()): Item | undefined {
  const [first] = items;
  return first;
}

/**
 * Unique among open connections. Node reports a finished TLS handshake with a socket object different from the one it
 * was given; both have this name.
 */
export function connectionName({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
