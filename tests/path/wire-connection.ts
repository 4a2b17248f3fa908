import { ACK, type Packet, SYN } from './packet.ts';

/** Kinds of TLS record: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const CHANGE_CIPHER_SPEC = 20;
const HANDSHAKE = 22;
/** A request has more, a Finished message less, bytes. */
const LEAST_REQUEST = 150;

/** One connection by its packets, as its client lived it. Epoch µs; null where it did not come so far. */
export interface WireConnection {
  readonly clientPort: number;
  readonly serverPort: number;
  readonly synAt: number;
  readonly synAckAt: number | null;
  readonly clientHelloAt: number | null;
  /** The client may send its request: TCP is open, and TLS as well where there is some. */
  readonly readyAt: number | null;
  /** The first packet that is large enough for a request. */
  readonly requestAt: number | null;
  readonly firstByteAt: number | null;
  readonly lastByteAt: number | null;
  /** The SYN had to be sent again: the first one's time is kept. */
  readonly retried: boolean;
}

/** Whether the client sends its request before the server's last message of a full TLS 1.2 handshake (RFC 7918). */
export interface WireRules {
  readonly falseStart: boolean;
}

/** Connections in the order in which they were begun. */
export function readConnections(packets: readonly Packet[], rules: WireRules): WireConnection[] {
  const groups: Packet[][] = [];
  const open = new Map<string, Packet[]>();
  for (const packet of [...packets].sort((a, b) => a.sentAt - b.sentAt)) {
    const begins = (packet.flags & (SYN | ACK)) === SYN;
    const key = keyOf(packet.from, packet.to);
    const other = keyOf(packet.to, packet.from);
    const known = open.get(key) ?? open.get(other);
    const again = known?.every(({ flags }) => (flags & (SYN | ACK)) === SYN) === true;
    if (begins && !(again && open.has(key))) {
      const group = [packet];
      groups.push(group);
      open.set(key, group);
    } else known?.push(packet);
  }
  return groups.map((group) => describe(group, rules));
}

function keyOf(from: number, to: number): string {
  return `${from} ${to}`;
}

function describe(packets: readonly Packet[], { falseStart }: WireRules): WireConnection {
  const [syn] = packets as [Packet, ...Packet[]];
  const fromClient = ({ from }: Packet) => from === syn.from;
  const synAck = packets.find((packet) => !fromClient(packet) && (packet.flags & SYN) !== 0);
  const data = packets.filter(({ bytes }) => bytes > 0);
  const hello = data.find((packet) => fromClient(packet) && packet.first === HANDSHAKE) ?? null;
  const firstServed = data.find((packet) => !fromClient(packet));
  const reply = data.find(
    (packet) => fromClient(packet) && packet.sentAt >= (firstServed?.arrivedAt ?? Number.POSITIVE_INFINITY),
  );
  const readyAt = hello ? tlsReadyAt(data, reply, fromClient, falseStart) : (synAck?.arrivedAt ?? null);
  const request = data.find(
    (packet) =>
      fromClient(packet) &&
      packet !== hello &&
      packet.bytes >= LEAST_REQUEST &&
      packet.sentAt >= (readyAt ?? Number.POSITIVE_INFINITY),
  );
  const answer = data.filter(
    (packet) => !fromClient(packet) && packet.sentAt >= (request?.arrivedAt ?? Number.POSITIVE_INFINITY),
  );
  return {
    clientPort: syn.from,
    serverPort: syn.to,
    synAt: syn.sentAt,
    synAckAt: synAck?.arrivedAt ?? null,
    clientHelloAt: hello?.sentAt ?? null,
    readyAt,
    requestAt: request?.sentAt ?? null,
    firstByteAt: answer[0]?.arrivedAt ?? null,
    lastByteAt: answer.at(-1)?.arrivedAt ?? null,
    retried: packets.filter((packet) => fromClient(packet) && (packet.flags & SYN) !== 0).length > 1,
  };
}

/**
 * The client's reply to the server's flight ends TLS 1.3 and every resumed handshake. In a full one of TLS 1.2, where
 * that reply begins with another handshake message, the server has the last word.
 */
function tlsReadyAt(
  data: readonly Packet[],
  reply: Packet | undefined,
  fromClient: (packet: Packet) => boolean,
  falseStart: boolean,
): number | null {
  if (reply === undefined) return null;
  if (reply.first !== HANDSHAKE || falseStart) return reply.sentAt;
  const last = data.find(
    (packet) =>
      !fromClient(packet) &&
      packet.sentAt >= reply.arrivedAt &&
      (packet.first === HANDSHAKE || packet.first === CHANGE_CIPHER_SPEC),
  );
  return last?.arrivedAt ?? null;
}
