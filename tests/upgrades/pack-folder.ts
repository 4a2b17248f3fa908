import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const MAX_TAR_BYTES = 64 << 20;

/** Half of gzip here: a database has the same page in its log again and again, further apart than gzip looks. */
export function compress(bytes: Buffer): Buffer {
  const { BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  return brotliCompressSync(bytes, { params: { [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS } });
}

/** Writes a folder, under its own name, into one file. */
export async function packFolder(folder: string, file: string): Promise<void> {
  const tar = ['-c', '--owner=0', '--group=0', '--mtime=@0', '--sort=name', '-C', dirname(folder), basename(folder)];
  const { stdout } = await promisify(execFile)('tar', tar, { encoding: 'buffer', maxBuffer: MAX_TAR_BYTES });
  await writeFile(file, compress(stdout));
}

/** @param into a folder, made if need be */
export async function unpackFolder(file: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const tar = join(into, 'packed.tar');
  await writeFile(tar, brotliDecompressSync(await readFile(file)));
  await promisify(execFile)('tar', ['-xf', tar, '-C', into]);
}

export async function readCompressed<T>(file: string): Promise<T> {
  return JSON.parse(brotliDecompressSync(await readFile(file)).toString()) as T;
}
