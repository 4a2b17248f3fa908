// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync, zipSync } from 'fflate';

/** @typedef {{ readonly name: string, readonly content: Buffer }} PackedFile */

/** @param {string} folder @returns {Promise<Buffer>} */
export async function zipFolder(folder) {
  return zipFiles(await listFiles(folder));
}

/**
 * All files below a folder, with their paths relative to it.
 * @param {string} folder
 * @returns {Promise<PackedFile[]>}
 */
export async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      name: path.relative(folder, file).split(path.sep).join('/'),
      content: await readFile(file),
    })),
  );
}

/**
 * A zip file: the same bytes for the same files in any order, on any machine at any time. Stored and not deflated, so
 * that the bytes do not depend on the version of the library.
 * @param {readonly PackedFile[]} files
 * @returns {Buffer}
 */
export function zipFiles(files) {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  // Local time, as zip files have it, and the earliest they can hold.
  const mtime = new Date(1980, 0, 1);
  return Buffer.from(
    zipSync(Object.fromEntries(sorted.map(({ name, content }) => [name, content])), { level: 0, mtime }),
  );
}

/**
 * Mozilla adds its signature as files; release Firefox refuses an xpi without them. Only the browser checks it.
 * @param {Buffer} xpi
 */
export function isSignedByMozilla(xpi) {
  let found = false;
  // Looks at every name and unpacks nothing.
  const filter = (/** @type {{ name: string }} */ { name }) => {
    found ||= name === 'META-INF/mozilla.rsa';
    return false;
  };
  try {
    unzipSync(xpi, { filter });
    return found;
  } catch {
    return false; // Not a zip file.
  }
}
