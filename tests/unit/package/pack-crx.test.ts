import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createCRX3Stream from 'crx3/lib/crx3stream.js';
import { expect, test } from 'vitest';
import { extensionId, manifestKey, packCrx } from '../../../collector/rollout/package/pack-crx.ts';
import { zipFiles } from '../../../collector/rollout/package/zip-files.mjs';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ZIP = zipFiles([{ name: 'manifest.json', content: Buffer.from('{"manifest_version":3}') }]);

/** Field numbers and contents of a protocol buffer that has only fields of bytes. */
function fieldsOf(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    expect(tag & 7).toBe(2);
    const length = varint();
    fields.set(tag >>> 3, bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}

const none = Buffer.alloc(0);

test('the header holds key, id and a signature over both and the zip file', () => {
  const crx = packCrx(ZIP, privateKey);
  expect([crx.toString('latin1', 0, 4), crx.readUInt32LE(4)]).toEqual(['Cr24', 3]);
  const headerEnd = 12 + crx.readUInt32LE(8);
  expect(crx.subarray(headerEnd)).toEqual(ZIP);

  const header = fieldsOf(crx.subarray(12, headerEnd));
  const proof = fieldsOf(header.get(2) ?? none);
  const signedData = header.get(10_000) ?? none;
  const publicKey = proof.get(1) ?? none;
  const id = createHash('sha256').update(publicKey).digest().subarray(0, 16);
  expect(fieldsOf(signedData).get(1)).toEqual(id);
  expect(extensionId(privateKey)).toBe(
    [...id.toString('hex')].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)]).join(''),
  );
  expect(manifestKey(privateKey)).toBe(publicKey.toString('base64'));

  const length = Buffer.alloc(4);
  length.writeUInt32LE(signedData.length);
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  const signedOver = (zip: Buffer) => Buffer.concat([Buffer.from('CRX3 SignedData\0'), length, signedData, zip]);
  const signature = proof.get(2) ?? none;
  expect(verify('sha256', signedOver(ZIP), key, signature)).toBe(true);
  const changed = Buffer.from(ZIP);
  changed[40] = (changed[40] ?? 0) ^ 1;
  expect(verify('sha256', signedOver(changed), key, signature)).toBe(false);
});

test('byte for byte what another packer makes of the same zip file and key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastbyte-crx-'));
  try {
    const [crxPath, keyPath] = [join(folder, 'x.crx'), join(folder, 'key.pem')];
    await writeFile(keyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const stream = createCRX3Stream(crxPath, { keyPath });
    stream.end(ZIP);
    await once(stream, 'close');
    expect(packCrx(ZIP, privateKey)).toEqual(await readFile(crxPath));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
