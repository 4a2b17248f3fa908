import { findMedian } from '../findings/like-medians.ts';
import { fillColumns, type TableDocument } from '../tables/table-document.ts';

/** One combination of server, version, cipher and group, full or resumed. */
export interface MatrixRow {
  readonly name: string;
  readonly kind: 'full' | 'ticket' | 'session id';
  readonly n: number;
  /** Whether the client's socket says that it was full, or resumed. */
  readonly proven: boolean;
  /** What was agreed on. */
  readonly tls: string | null;
  /** From connected to secured, ms. */
  readonly times: readonly number[];
  /** Bytes on the wire until the handshake was done. */
  readonly received: number | null;
  readonly sent: number | null;
  /** CPU time for one connection and its handshake. */
  readonly clientCpuMs: number | null;
  readonly serverCpuMs: number | null;
  /** Body throughput over such a connection. */
  readonly kbPerSecond: number | null;
}

const MEASURES = [
  ['ms', 'Handshake', 'ms'],
  ['clientCpuMs', 'Client CPU', 'ms'],
  ['serverCpuMs', 'Server CPU', 'ms'],
  ['sent', 'Sent', 'bytes'],
  ['received', 'Received', 'bytes'],
  ['kbPerSecond', 'Bodies', 'kb_per_second'],
] as const;
type Measured = Record<(typeof MEASURES)[number][0], number | null>;

/** The table of article 004: what a connection takes, and below it each as a ratio to the first row. */
export function matrixTables(rows: readonly MatrixRow[]): TableDocument[] {
  const measured = rows.filter(({ n }) => n > 0).map(withMedian);
  const [first] = measured;
  const ratios = measured.map((row) => {
    const to = (name: keyof Measured) => (row[name] !== null && first?.[name] ? row[name] / first[name] : null);
    return { ...row, ...(Object.fromEntries(MEASURES.map(([name]) => [name, to(name)])) as Measured) };
  });
  return [
    {
      title: 'Handshakes',
      ...fillColumns(measured, [
        ['name', 'Server or offer', 'text'],
        ['kind', 'Handshake', 'text', ({ kind, proven }) => (proven ? kind : `${kind}: not so`)],
        ...MEASURES.map(([name, label, unit]) => [name, label, unit] as const),
      ]),
      notes: [
        'CPU: of one connection with its handshake, without a request; median of five rounds. Handshake: from the TCP connection to the secured one, median. Sent and received: bytes on the wire until then.',
      ],
    },
    {
      title: 'What a full handshake costs beyond a resumed one',
      ...fillColumns(pricesOf(measured), [
        ['name', 'Server or offer', 'text'],
        ['ms', 'Handshake', 'ms'],
        ['client', 'Client CPU', 'ms'],
        ['server', 'Server CPU', 'ms'],
      ]),
      notes: [],
    },
    {
      title: 'Ratios to the first row',
      ...fillColumns(ratios, [
        ['name', 'Server or offer', 'text'],
        ['kind', 'Handshake', 'text'],
        ...MEASURES.map(([name, label]) => [name, label, 'ratio'] as const),
      ]),
      notes: [],
    },
  ];
}

interface Price {
  readonly name: string;
  readonly ms: number;
  readonly client: number;
  readonly server: number | null;
}

/** What a full handshake costs beyond a resumed one, per server and cipher. */
function pricesOf(rows: readonly (MatrixRow & { readonly ms: number | null })[]): Price[] {
  return rows.flatMap(({ name, kind, ms, clientCpuMs, serverCpuMs }) => {
    const resumed = rows.find((other) => other.name === name && other.kind === 'ticket' && other.proven);
    if (kind !== 'full' || resumed?.ms == null || resumed.clientCpuMs === null || ms === null || clientCpuMs === null)
      return [];
    const server = serverCpuMs === null || resumed.serverCpuMs === null ? null : serverCpuMs - resumed.serverCpuMs;
    return [{ name, ms: ms - resumed.ms, client: clientCpuMs - resumed.clientCpuMs, server }];
  });
}

function withMedian(row: MatrixRow) {
  return { ...row, ms: row.times.length === 0 ? null : findMedian(Float64Array.from(row.times)) };
}

export function matrixPoints(rows: readonly MatrixRow[]): string[] {
  const measured = rows.map(withMedian);
  const prices = pricesOf(measured).sort((a, b) => a.client - b.client);
  const [least, most] = [prices[0], prices.at(-1)];
  const group = (name: string) => measured.find((row) => row.name === name && row.n > 0);
  const [usual, quantum] = [group('X25519'), group('X25519MLKEM768')];
  const refused = rows.filter(({ n }) => n === 0).map(({ name, kind }) => `${name} (${kind})`);
  return [
    ...(least === undefined || most === undefined
      ? []
      : [
          `Beyond a resumed handshake, a full one takes the client ${least.client.toFixed(2)} ms of CPU (${least.name}) to ${most.client.toFixed(2)} ms (${most.name}).`,
        ]),
    ...(usual?.sent == null || quantum?.sent == null || usual.ms === null || quantum.ms === null
      ? []
      : [
          `Post-quantum key exchange (X25519MLKEM768 instead of X25519) sends ${quantum.sent - usual.sent} bytes more, receives ${(quantum.received ?? 0) - (usual.received ?? 0)} more, and takes ${(quantum.ms - usual.ms).toFixed(2)} ms longer here.`,
        ]),
    ...(refused.length === 0 ? [] : [`No handshake came about: ${refused.join(', ')}.`]),
  ];
}
