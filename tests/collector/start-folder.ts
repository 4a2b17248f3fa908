import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for all tests of a file, which removes it in the end. */
export function startFolder(): { made(): Promise<string>; remove(): Promise<void> } {
  let folder: Promise<string> | null = null;
  return {
    made() {
      folder ??= mkdtemp(join(tmpdir(), 'lastbyte-test-'));
      return folder;
    },
    async remove() {
      if (folder !== null) await rm(await folder, { recursive: true, force: true });
    },
  };
}
