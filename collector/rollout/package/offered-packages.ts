import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_FILES, type PackagesRecord, readPackagesRecord } from './packages-record.ts';

export interface OfferedFile {
  readonly body: Buffer;
  /** Hexadecimal. */
  readonly sha256: string;
}

export type OfferedName = Exclude<keyof typeof PACKAGE_FILES, 'record' | 'storeZip'>;

/** The current packages in a folder: packaging again needs no restart of the server. */
export interface OfferedPackages {
  /** Null if there are no packages yet. Throws CommandFailure if the record is invalid. */
  record(): Promise<PackagesRecord | null>;
  /** Null if it does not exist. */
  file(name: OfferedName): Promise<OfferedFile | null>;
}

interface Cached extends OfferedFile {
  readonly stamp: string;
}

export function offeredPackages(folder: string): OfferedPackages {
  const cache = new Map<OfferedName, Cached>();
  return {
    record: () => readPackagesRecord(folder),
    async file(name) {
      const path = join(folder, PACKAGE_FILES[name]);
      const facts = await stat(path).catch(() => null);
      if (facts === null || !facts.isFile()) return null;
      const stamp = `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
      const known = cache.get(name);
      if (known?.stamp === stamp) return known;
      const body = await readFile(path).catch(() => null);
      if (body === null) return null;
      const read = { body, sha256: createHash('sha256').update(body).digest('hex'), stamp };
      cache.set(name, read);
      return read;
    },
  };
}
