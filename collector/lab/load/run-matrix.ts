import { constants } from 'node:crypto';
import { once } from 'node:events';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { findMedian } from '../../analysis/findings/like-medians.ts';
import type { MatrixRow } from '../../analysis/load/matrix-tables.ts';
import { type LoadServer, loadConnector, type OpenedConnection, type SessionCache } from './load-connection.ts';
import { type UserOptions, VirtualUser } from './virtual-user.ts';

const TLS13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
const TLS12 = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((name) => ({
  name: `ECDHE-${name}`,
  // Which one it is depends on the server's key.
  ciphers: `ECDHE-RSA-${name}:ECDHE-ECDSA-${name}`,
}));
/** X25519MLKEM768 comes first in newer browsers, and its ClientHello fills more than a packet. */
const GROUPS = ['X25519', 'prime256v1', 'X25519MLKEM768'];
/** Of all rows that don't compare groups, so that they differ in nothing else; a key on another curve needs that one too. */
const USUAL_GROUPS = 'X25519:P-256:P-384';
/** TLS 1.3 sends its tickets after the handshake; a server without any is not waited for longer than this, ms. */
const TICKET_MS = 200;
/** Until then the code is not compiled. */
const WARMUP = 50;
/** Rows take turns in so many rounds. */
const ROUNDS = 5;
const BULK_REPETITIONS = 5;

type Kind = MatrixRow['kind'];
interface Cell {
  readonly server: LoadServer;
  readonly name: string;
  readonly kind: Kind;
  readonly tls: SecureContextOptions;
}

export interface MatrixOptions {
  readonly servers: readonly LoadServer[];
  /** Of the requests for bodies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Handshakes of each row. */
  readonly count: number;
  readonly signal: AbortSignal;
  /** CPU seconds of the server so far; null if that is not known. */
  readonly serverCpu: () => Promise<number | null>;
  readonly progress: (share: number, row: string) => void;
}

interface Tally {
  readonly times: number[];
  /** CPU time of a handshake, ms, by round: garbage and other work hit one of them. */
  readonly client: number[];
  readonly server: number[];
  seen: Shaken | null;
  tried: boolean;
  /** Handshakes that were full where they should have been resumed, or the other way round. */
  unproven: number;
}

interface Shaken {
  readonly ms: number;
  readonly resumed: boolean;
  readonly received: number;
  readonly sent: number;
  readonly tls: string;
}

/** What handshakes cost by key, version, cipher and group, full and resumed: one after another, since CPU time is what is compared. */
export async function runMatrix(
  options: MatrixOptions,
): Promise<{ readonly rows: MatrixRow[]; readonly refused: boolean }> {
  const { count, signal, serverCpu, progress, headers } = options;
  let refused = false;
  const named: Named[] = [];
  for (const server of options.servers) named.push(await nameServer(server, named));
  const [first] = named;
  for (let i = 0; first !== undefined && i < WARMUP && !signal.aborted; i++) await shakeHands(first.server, null);
  const cells = cellsOf(named);
  const tallies = cells.map(
    (): Tally => ({ times: [], client: [], server: [], seen: null, tried: false, unproven: 0 }),
  );
  const rows: MatrixRow[] = [];
  const perRound = Math.ceil(count / ROUNDS);
  for (let round = 0; round < ROUNDS && !signal.aborted; round++) {
    for (const [index, cell] of cells.entries()) {
      if (signal.aborted) break;
      progress((round + index / cells.length) / ROUNDS, cell.name);
      await measure(cell, tallies[index] as Tally, perRound, serverCpu);
    }
  }
  for (const [index, { name, kind, server, tls }] of cells.entries()) {
    const { times, client, server: paid, seen, tried, unproven } = tallies[index] as Tally;
    if (!tried) continue;
    const own = { ...server, tls: { ...server.tls, ...tls } };
    const isAsked = kind === 'full' && !signal.aborted && !refused && seen !== null;
    const refuse = () => {
      refused = true;
    };
    const rate = isAsked ? await bulkRate({ servers: { http: null, https: own }, headers, refused: refuse }) : null;
    const n = times.length;
    rows.push({
      name,
      kind,
      n,
      proven: times.length > 0 && unproven === 0,
      tls: seen?.tls ?? null,
      times,
      received: seen?.received ?? null,
      sent: seen?.sent ?? null,
      clientCpuMs: n === 0 ? null : findMedian(Float64Array.from(client)),
      serverCpuMs: paid.length === 0 ? null : findMedian(Float64Array.from(paid)),
      kbPerSecond: rate,
    });
  }
  return { rows, refused };
}

interface Named {
  readonly name: string;
  readonly server: LoadServer;
}

/** By the key it shows, such as `RSA 2048`, and by its port where another one has the same. */
async function nameServer(server: LoadServer, others: readonly Named[]): Promise<Named> {
  const key = (await shakeHands(server, null, true))?.tls.split(', ').at(-1);
  const isTaken = key === undefined || others.some(({ name }) => name === key);
  return { name: isTaken ? [key, `port ${server.port}`].filter(Boolean).join(', ') : key, server };
}

function cellsOf(servers: readonly Named[]): Cell[] {
  const cells: Cell[] = [];
  const add = (server: LoadServer, name: string, tls: SecureContextOptions, kinds: readonly Kind[]) => {
    for (const kind of kinds) cells.push({ server, name, kind, tls: { ecdhCurve: USUAL_GROUPS, ...tls } });
  };
  for (const { name, server } of servers) {
    add(server, `${name}, TLS 1.3`, { minVersion: 'TLSv1.3' }, ['full', 'ticket']);
    add(server, `${name}, TLS 1.2`, { maxVersion: 'TLSv1.2' }, ['full', 'ticket', 'session id']);
  }
  const [first] = servers;
  if (first === undefined) return cells;
  for (const name of TLS13) add(first.server, name, { minVersion: 'TLSv1.3', ciphers: name }, ['full', 'ticket']);
  for (const { name, ciphers } of TLS12)
    add(first.server, name, { maxVersion: 'TLSv1.2', ciphers }, ['full', 'ticket']);
  for (const name of GROUPS) add(first.server, name, { minVersion: 'TLSv1.3', ecdhCurve: name }, ['full']);
  return cells;
}

async function measure(cell: Cell, tally: Tally, n: number, serverCpu: MatrixOptions['serverCpu']): Promise<void> {
  const noTicket = cell.kind === 'session id' ? { secureOptions: constants.SSL_OP_NO_TICKET } : {};
  const server = { ...cell.server, tls: { ...cell.server.tls, ...cell.tls, ...noTicket } };
  const cache: SessionCache = { session: null };
  // The first one is to have a session, and not to be the first.
  tally.tried = true;
  tally.seen ??= await shakeHands(server, cache, true);
  if (tally.seen === null) return;
  if (cache.session === null) await shakeHands(server, cache);
  const { session } = cache;
  const paidBefore = await serverCpu();
  const before = cpuUsage();
  for (let i = 0; i < n; i++) {
    // Without a cache no session is written down, which takes the client time of its own.
    const shaken = await shakeHands(server, cell.kind === 'full' ? null : { session });
    if (shaken === null) continue;
    if (shaken.resumed !== (cell.kind !== 'full')) tally.unproven++;
    tally.times.push(shaken.ms);
    tally.seen = { ...shaken, tls: tally.seen.tls };
  }
  const { user, system } = cpuUsage(before);
  tally.client.push((user + system) / 1000 / n);
  const paid = await serverCpu();
  if (paid !== null && paidBefore !== null) tally.server.push((1000 * (paid - paidBefore)) / n);
}

/** One handshake, and no request; null if it failed. */
async function shakeHands(server: LoadServer, cache: SessionCache | null, describe = false): Promise<Shaken | null> {
  let opened: OpenedConnection | null = null;
  const connect = loadConnector(
    server,
    cache,
    (connection) => {
      opened = connection;
    },
    describe,
  );
  const socket = await new Promise<TLSSocket | null>((resolve) => {
    connect({ hostname: '', protocol: 'https:', port: '' }, (_, secure) => resolve(secure as TLSSocket | null));
  });
  const { securedAt, connectedAt, handshake, handshakeBytes, tls } = (opened ?? {}) as Partial<OpenedConnection>;
  if (socket === null || securedAt == null || connectedAt === undefined) return null;
  socket.on('error', () => {}); // it has served its purpose
  // Node shows no ticket that follows a resumed handshake.
  if (socket.getProtocol() === 'TLSv1.3' && handshake === 'full') await nextTicket(socket);
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(server.timeoutMs) });
  socket.end();
  socket.resume();
  await closed.catch(() => socket.destroy()); // a server need not answer the end of a connection
  const { received = 0, sent = 0 } = handshakeBytes ?? {};
  return {
    ms: securedAt - connectedAt,
    resumed: handshake === 'resumed',
    received,
    sent,
    tls: tls ?? '',
  };
}

/** Of this thread alone, without what compiles code and collects garbage beside it; Node 22.18 has it for the process only. */
const cpuUsage: (before?: NodeJS.CpuUsage) => NodeJS.CpuUsage =
  (process as { threadCpuUsage?: typeof process.cpuUsage }).threadCpuUsage ?? process.cpuUsage;

async function nextTicket(socket: TLSSocket): Promise<void> {
  await once(socket, 'session', { signal: AbortSignal.timeout(TICKET_MS) }).catch(() => {}); // a server may issue none
}

/** Median body throughput in KB of 1,024 bytes per second; null if no response was complete. */
async function bulkRate(options: UserOptions): Promise<number | null> {
  const user = new VirtualUser(options);
  const rates: number[] = [];
  for (let i = 0; i <= BULK_REPETITIONS; i++) {
    const { sentAt, endedAt, bytes, error, status } = await user.request('https-reused', performance.now());
    if (error !== null || status === null || status < 200 || status > 299 || sentAt === null) break;
    if (i > 0) rates.push(bytes / 1.024 / (endedAt - sentAt));
  }
  await user.close();
  return rates.length === 0 ? null : findMedian(Float64Array.from(rates));
}
