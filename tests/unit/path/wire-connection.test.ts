import { describe, expect, test } from 'vitest';
import { readPacket } from '../../path/packet.ts';
import { readConnections } from '../../path/wire-connection.ts';

const CLIENT = 40_000;
const SERVER = 443;
const ONE_WAY = 20_000;

/** `[µs when it was sent, who sent it, flags, bytes, first byte]` */
type Told = readonly [number, 'client' | 'server', number, number, number];

const OPEN: readonly Told[] = [
  [0, 'client', 2, 0, 0],
  [20_000, 'server', 18, 0, 0],
];
/** TLS 1.3: hello, the server's flight, Finished, request, answer in two packets. */
const TLS13: readonly Told[] = [
  ...OPEN,
  [41_000, 'client', 24, 517, 22],
  [62_000, 'server', 24, 1448, 22],
  [62_000, 'server', 24, 900, 77],
  [84_000, 'client', 24, 64, 20],
  [85_000, 'client', 24, 400, 23],
  [106_000, 'server', 24, 1448, 23],
  [107_000, 'server', 24, 100, 9],
];
/** A full one of TLS 1.2: the client's reply begins with a handshake message, and the server has the last word. */
const TLS12_FULL: readonly Told[] = [
  ...OPEN,
  [41_000, 'client', 24, 300, 22],
  [62_000, 'server', 24, 1400, 22],
  [83_000, 'client', 24, 126, 22],
  [104_000, 'server', 24, 242, 22],
  [125_000, 'client', 24, 400, 23],
];

function read(told: readonly Told[], falseStart = false) {
  const packets = told.map(([at, who, flags, bytes, first]) => {
    const [from, to] = who === 'client' ? [CLIENT, SERVER] : [SERVER, CLIENT];
    return readPacket([at, at + ONE_WAY, from, to, flags, bytes, first].join(' '));
  });
  return readConnections(packets, { falseStart });
}

describe('a connection by its packets', () => {
  test('TLS 1.3 is ready when the client has replied', () => {
    expect(read(TLS13)).toEqual([
      {
        clientPort: CLIENT,
        serverPort: SERVER,
        synAt: 0,
        synAckAt: 40_000,
        clientHelloAt: 41_000,
        readyAt: 84_000,
        requestAt: 85_000,
        firstByteAt: 126_000,
        lastByteAt: 127_000,
        retried: false,
      },
    ]);
  });

  test('a full handshake of TLS 1.2 is ready with the last word of the server, or before it by False Start', () => {
    expect(read(TLS12_FULL)[0]).toMatchObject({ readyAt: 124_000, requestAt: 125_000 });
    expect(read(TLS12_FULL, true)[0]).toMatchObject({ readyAt: 83_000 });
  });

  test('plain HTTP is ready with the answer to its SYN', () => {
    const plain: readonly Told[] = [...OPEN, [43_000, 'client', 24, 400, 71]];
    expect(read(plain)[0]).toMatchObject({ clientHelloAt: null, readyAt: 40_000, requestAt: 43_000 });
  });

  test('a SYN sent again is no second connection, one on the same ports later is', () => {
    const again: readonly Told[] = [
      [0, 'client', 2, 0, 0],
      [1_000_000, 'client', 2, 0, 0],
      [1_020_000, 'server', 18, 0, 0],
      [9_000_000, 'client', 2, 0, 0],
    ];
    expect(read(again)).toMatchObject([
      { synAt: 0, synAckAt: 1_040_000, retried: true },
      { synAt: 9_000_000, synAckAt: null, retried: false },
    ]);
  });

  test('a line that is none is no packet', () => {
    expect(() => readPacket('1 2 3')).toThrow('not a packet');
  });
});
