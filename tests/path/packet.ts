/** One TCP packet that opened, ended or carried something, as the reflector saw it. Epoch µs. */
export interface Packet {
  /** When its sender had sent it. */
  readonly sentAt: number;
  /** When its receiver got it. */
  readonly arrivedAt: number;
  readonly from: number;
  readonly to: number;
  readonly flags: number;
  readonly bytes: number;
  /** Its first byte: the kind of TLS record where one begins with it. */
  readonly first: number;
}

export const SYN = 2;
export const ACK = 16;

/** A line of the reflector. */
export function readPacket(line: string): Packet {
  const numbers = line.split(' ').map(Number);
  if (numbers.length !== 7 || !numbers.every(Number.isSafeInteger)) throw new Error(`not a packet: ${line}`);
  const [sentAt, arrivedAt, from, to, flags, bytes, first] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { sentAt, arrivedAt, from, to, flags, bytes, first };
}
