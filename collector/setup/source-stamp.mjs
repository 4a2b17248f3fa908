// @ts-check
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The sources of the build. */
const SOURCES = ['collector', 'extension', 'shared', 'esbuild.config.mjs', 'package.json', 'package-lock.json'];

/** In the folder of the build; holds the stamp of its sources. */
export const STAMP_FILE = '.source-stamp';

/**
 * SHA-256 over the names and contents of all sources: unlike modification times it survives a checkout and a copy.
 * @param {string} root
 */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => filesUnder(root, name)).sort()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} root
 * @param {string} name
 * @returns {string[]}
 */
function filesUnder(root, name) {
  if (path.extname(name) !== '') return [name];
  return readdirSync(path.join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}
