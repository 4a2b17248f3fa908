import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';

const MAGIC = 'Cr24';
const FORMAT_VERSION = 3;
const SIGNED_CONTEXT = 'CRX3 SignedData\0';
const ID_BYTES = 16;

/** Field numbers of Chromium's crx3.proto. */
const SHA256_WITH_RSA = 2;
const SIGNED_HEADER_DATA = 10_000;
const PUBLIC_KEY = 1;
const SIGNATURE = 2;
const CRX_ID = 1;

/**
 * A CRX3 package: a zip file after a header with the public key and a signature of both. RSA signatures of this kind
 * are deterministic, so the same zip and key give the same bytes. Implemented here, since the crx3 package also brings
 * a zip writer and an argument parser; tests read the result with it.
 * https://chromium.googlesource.com/chromium/src/+/main/components/crx_file/crx3.proto
 */
export function packCrx(zip: Buffer, key: KeyObject): Buffer {
  const publicKey = publicKeyDer(key);
  const signedData = field(CRX_ID, idBytes(publicKey));
  const signature = sign(
    'sha256',
    Buffer.concat([Buffer.from(SIGNED_CONTEXT), uint32(signedData.length), signedData, zip]),
    key,
  );
  const proof = Buffer.concat([field(PUBLIC_KEY, publicKey), field(SIGNATURE, signature)]);
  const header = Buffer.concat([field(SHA256_WITH_RSA, proof), field(SIGNED_HEADER_DATA, signedData)]);
  return Buffer.concat([Buffer.from(MAGIC), uint32(FORMAT_VERSION), uint32(header.length), header, zip]);
}

/** The extension's id, 32 letters a–p, which depends only on the key. */
export function extensionId(key: KeyObject): string {
  const hex = idBytes(publicKeyDer(key)).toString('hex');
  return hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}

/** The manifest's `key`, which gives an unpacked extension the same id. */
export function manifestKey(key: KeyObject): string {
  return publicKeyDer(key).toString('base64');
}

function publicKeyDer(key: KeyObject): Buffer {
  const publicKey = key.type === 'public' ? key : createPublicKey(key);
  return publicKey.export({ type: 'spki', format: 'der' });
}

function idBytes(publicKey: Buffer): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, ID_BYTES);
}

/** A bytes field of a protocol buffer: its number and type, its length, the bytes. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
