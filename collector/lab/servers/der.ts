/**
 * The few pieces of DER that a certificate needs; a library for it would be a large dependency for so little.
 * https://www.itu.int/rec/T-REC-X.690
 */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
};

export function sequence(...parts: Buffer[]): Buffer {
  return tagged(TAG.sequence, ...parts);
}

export function set(...parts: Buffer[]): Buffer {
  return tagged(TAG.set, ...parts);
}

/** Non-negative, below 2⁷ or already without a leading sign bit. */
export function integer(...bytes: number[]): Buffer {
  return tagged(TAG.integer, Buffer.from(bytes));
}

export function yes(): Buffer {
  return tagged(TAG.boolean, Buffer.from([0xff]));
}

export function bits(content: Buffer, unused = 0): Buffer {
  return tagged(TAG.bits, Buffer.from([unused]), content);
}

export function octets(content: Buffer): Buffer {
  return tagged(TAG.octets, content);
}

export function utf8(text: string): Buffer {
  return tagged(TAG.utf8, Buffer.from(text));
}

/** In dotted form, such as `2.5.4.3`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const base128 = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) base128.unshift((left & 0x7f) | 0x80);
    bytes.push(...base128);
  }
  return tagged(TAG.oid, Buffer.from(bytes));
}

/** UTCTime, whole seconds: right for the years 1950 to 2049. */
export function utcTime(at: number): Buffer {
  const text = new Date(at)
    .toISOString()
    .replace(/[-:T]|\.\d+/g, '')
    .slice(2);
  return tagged(0x17, Buffer.from(text));
}

/** `[n]`, context-specific; `constructed` where it wraps other values. */
export function context(n: number, content: Buffer, constructed: boolean): Buffer {
  return tagged((constructed ? 0xa0 : 0x80) | n, content);
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length: number[] = [];
  if (content.length < 0x80) length.push(content.length);
  else {
    for (let left = content.length; left > 0; left >>>= 8) length.unshift(left & 0xff);
    length.unshift(0x80 | length.length);
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
