import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { writeWholeFile } from '../../lib/write-whole-file.ts';
import type { ReportFile } from './report-file.ts';

/** Writes files below the folder of reports, each whole or not at all. Throws what the file system throws, in words. */
export async function deliverToFolder(root: string, folder: string, files: readonly ReportFile[]): Promise<void> {
  const path = join(root, folder);
  // Reports tell how people worked: for the collector's own user, unless the folder is there already.
  await makeFolder(path);
  for (const { name, bytes } of files) await writeWholeFile(join(path, name), once(bytes));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
