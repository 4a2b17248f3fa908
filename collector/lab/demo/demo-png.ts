import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const RGB_8_BIT = Buffer.from([8, 2, 0, 0, 0]);

/**
 * A picture of coloured stripes, `seed` choosing the colours. `grain` adds that many levels of noise, which does not
 * compress: it decides how many bytes go over the wire. https://www.w3.org/TR/png-3/
 */
export function demoPng(width: number, height: number, seed: number, grain: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  let noise = seed + 1;
  for (let y = 0, i = 0; y < height; y++) {
    i++; // filter byte 0: none
    for (let x = 0; x < width; x++) {
      const stripe = Math.floor((x + y) / 16 + seed) % 3;
      for (let channel = 0; channel < 3; channel++) {
        noise = (Math.imul(noise, 1_103_515_245) + 12_345) & 0x7fffffff;
        rows[i++] = (stripe === channel ? 200 : 90) + (grain > 0 ? (noise >> 16) % grain : 0);
      }
    }
  }
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, RGB_8_BIT])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body) >>> 0);
  return Buffer.concat([length, body, check]);
}
