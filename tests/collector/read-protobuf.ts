/** One message as its fields, read by the wire format alone: https://protobuf.dev/programming-guides/encoding/ */
export type Message = ReadonlyMap<number, readonly (Buffer | bigint | number)[]>;

export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint | number)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Buffer | bigint | number;
    if (wire === 0) value = varint();
    else if (wire === 1) value = take(8);
    else if (wire === 2) value = take(Number(varint()));
    else throw new Error(`wire type ${wire} is not used by OTLP`);
    const list = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, list);
    list.push(value);
  }
  if (at !== bytes.length) throw new Error('the message ends in the middle of a field');
  return fields;
}

export function messages(of: Message, field: number): Message[] {
  return (of.get(field) ?? []).map((value) => readMessage(value as Buffer));
}

export function text(of: Message, field: number): string {
  return ((of.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer).toString('utf8');
}

export function double(of: Message, field: number): number {
  return ((of.get(field)?.[0] ?? Buffer.alloc(8)) as Buffer).readDoubleLE(0);
}

/** A packed list of 8-byte values. */
export function packed(of: Message, field: number, read: (bytes: Buffer, at: number) => number): number[] {
  const bytes = (of.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer;
  return Array.from({ length: bytes.length / 8 }, (_, place) => read(bytes, place * 8));
}
