import { createSocket } from 'node:dgram';
import { waitAtLeast } from '../../collector/lab/servers/wait-at-least.ts';

const TYPE_A = 1;
const HEADER_BYTES = 12;
const PORT = 53;
const TTL_SECONDS = 60;

export interface Lookup {
  readonly name: string;
  /** Epoch µs. */
  readonly askedAt: number;
}

export interface SlowResolver {
  readonly lookups: readonly Lookup[];
  close(): Promise<void>;
}

/** A resolver on 127.0.0.1 that takes `delayMs` and knows one IPv4 address for every name below `.test`. Needs root. */
export async function startSlowResolver(address: string, delayMs: number): Promise<SlowResolver> {
  const lookups: Lookup[] = [];
  const socket = createSocket('udp4');
  socket.on('message', async (query, from) => {
    const askedAt = Date.now() * 1000;
    const { name, answer } = answerTo(query, address);
    lookups.push({ name, askedAt });
    await waitAtLeast(delayMs);
    socket.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(PORT, '127.0.0.1', resolve);
  });
  return { lookups, close: () => new Promise((resolve) => socket.close(() => resolve())) };
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-4 */
function answerTo(query: Buffer, address: string): { name: string; answer: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.').toLowerCase();
  const known = name.endsWith('.test');
  const found = known && query.readUInt16BE(at + 1) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found ? 1 : 0, 6);
  const record = Buffer.from([
    0xc0,
    0x0c,
    0,
    TYPE_A,
    0,
    1,
    0,
    0,
    0,
    TTL_SECONDS,
    0,
    4,
    ...address.split('.').map(Number),
  ]);
  return { name, answer: Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...(found ? [record] : [])]) };
}
