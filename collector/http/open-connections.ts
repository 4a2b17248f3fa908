import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ConnectionGroups } from './connection-groups.ts';
import { connectionName } from './connection-name.ts';

export interface Connection {
  readonly address: string;
  readonly network: string;
  /** Over TLS the one that its requests come on, once there is one. */
  socket: Socket;
  /** Its TLS handshake is done, or it needs none. */
  isSecured: boolean;
  requestsUnderWay: number;
  /** The bytes it had sent when it became idle, more are the beginning of a request; null while it is busy. */
  idleSince: number | null;
  grace: NodeJS.Timeout | null;
  /** Those that it is among; null once it is closed. */
  groups: Groups | null;
}

/** A request began more than a grace ago and its headers are not complete: what still comes of it earns no further grace. */
const ANY_BYTES = Number.POSITIVE_INFINITY;

type Groups = Readonly<Record<'addresses' | 'networks', ConnectionGroups<Connection>>>;

const newGroups = (): Groups => ({
  addresses: new ConnectionGroups(({ address }) => address),
  networks: new ConnectionGroups(({ network }) => network),
});

/**
 * Which connections are idle, those idle longest first. One is busy while a request is under way on it, and for a grace
 * after it was made and after a request has begun to arrive; over TLS, from its first byte to the end of its handshake as
 * well, which has bounds of its own.
 */
export class OpenConnections {
  readonly idle = newGroups();
  /** Those at work longest first. */
  readonly busy = newGroups();
  readonly #graceMs: number;
  /** By their names, until their handshake is done. */
  readonly #unsecured = new Map<string, Connection>();
  readonly #ofSocket = new WeakMap<Socket, Connection>();
  readonly #tls: boolean;
  #size = 0;

  /** @param server without a listener for requests of its own */
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

  /** Makes an idle one busy for a grace if a request has begun to arrive on it. */
  wakeIfBegun(connection: Connection): boolean {
    if (connection.idleSince === null || connection.socket.bytesRead <= connection.idleSince) return false;
    this.#awaitRequest(connection);
    return true;
  }

  close(connection: Connection): void {
    // The socket tells of it later, and the place is needed now.
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
      // One that has said nothing is in no handshake yet.
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
    // Nothing brings back what is closed, such as the end of its last answer.
    if (from === null) return;
    from.addresses.delete(connection);
    from.networks.delete(connection);
    connection.groups = to;
    to?.addresses.add(connection);
    to?.networks.add(connection);
  }
}
