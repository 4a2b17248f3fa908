import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { type BufferPool, FRESH_BUFFERS } from '../columns/buffer-pool.ts';

const WORD = 2 ** 32;

/** Sums of row hashes, modulo 2³² each: independent of the order of samples. */
export interface Digest {
  n: number;
  a: number;
  b: number;
}

export function isSameDigest(one: Readonly<Digest> | undefined, other: Readonly<Digest> | undefined): boolean {
  return one?.n === other?.n && one?.a === other?.a && one?.b === other?.b;
}

/** The hashes of every row. */
interface RowHashes {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** The sums of the rows of each group. @param groups of every row, of which there are `size` */
export function sumHashes(hashes: RowHashes, groups: Int32Array, size: number): Digest[] {
  const n = new Float64Array(size);
  const a = new Int32Array(size);
  const b = new Int32Array(size);
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    n[group] = (n[group] as number) + 1;
    a[group] = (a[group] as number) + (hashes.a[row] as number);
    b[group] = (b[group] as number) + (hashes.b[row] as number);
  }
  return Array.from(n, (rows, group) => ({ n: rows, a: a[group] as number, b: b[group] as number }));
}

/** A hash of what identifies a sample: when, whose, where and how long. Not secure against forgery. */
export function rowHashes(columns: SampleColumns, pool: BufferPool = FRESH_BUFFERS): RowHashes {
  const at = columns.at();
  const origin = columns.origin();
  const clients = columns.origins.map(({ client }) => hashText(client));
  const texts = (['host', 'template', 'type'] as const).map((name) => {
    const { strings, codes } = columns.text(name);
    return { hashes: strings.map(hashText), codes };
  });
  const ttlb = columns.number('ttlb');
  const size = columns.number('transferSize');
  const a = pool.codes('hash a of row', columns.n);
  const b = pool.codes('hash b of row', columns.n);
  for (let row = 0; row < columns.n; row++) {
    const time = at[row] as number;
    a[row] = mixHash(mixHash(clients[origin[row] as number] ?? 0, time | 0), Math.floor(time / WORD));
  }
  for (const { hashes, codes } of texts) {
    for (let row = 0; row < columns.n; row++) a[row] = mixHash(a[row] as number, hashes[codes[row] as number] ?? 1);
  }
  for (let row = 0; row < columns.n; row++) {
    const hash = mixHash(a[row] as number, ttlb[row] as number);
    a[row] = hash;
    b[row] = mixHash(Math.imul(hash, 0x2c1b3c6d), size[row] as number);
  }
  return { a, b };
}

export function addRow(digest: Digest, hashes: RowHashes, row: number): void {
  digest.n++;
  digest.a = (digest.a + (hashes.a[row] as number)) | 0;
  digest.b = (digest.b + (hashes.b[row] as number)) | 0;
}

export function addDigest(digest: Digest, other: Readonly<Digest>): void {
  digest.n += other.n;
  digest.a = (digest.a + other.a) | 0;
  digest.b = (digest.b + other.b) | 0;
}

/** One mixing round of MurmurHash3 (public domain). */
export function mixHash(hash: number, value: number): number {
  let k = Math.imul(value | 0, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function hashText(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = mixHash(hash, text.charCodeAt(i));
  return hash;
}
