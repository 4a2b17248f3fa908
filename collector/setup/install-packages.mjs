// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { npm, SetupError, say } from './run-step.mjs';

/**
 * @typedef {{ packages?: Record<string, { version?: string, integrity?: string, optional?: boolean, dev?: boolean }> }} Lock
 */

/**
 * Why node_modules differs from the lock file; null if it does not. Compared by content, since the modification time of the
 * lock file is meaningless after a checkout.
 * @param {Lock | null} lock package-lock.json
 * @param {Lock | null} installed node_modules/.package-lock.json, which npm writes last
 * @returns {string | null}
 */
export function whyStale(lock, installed) {
  if (installed === null) return 'no packages are installed yet';
  for (const [location, wanted] of Object.entries(lock?.packages ?? {})) {
    if (location === '') continue;
    const found = installed.packages?.[location];
    // Missing optional packages are for other platforms.
    if (found === undefined && wanted.optional) continue;
    const name = location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (found === undefined) return `${name} is not installed`;
    if (found.version !== wanted.version || found.integrity !== wanted.integrity) return `${name} has another version`;
  }
  return null;
}

/** @param {string} root */
export function packagesStep(root) {
  const why = () =>
    whyStale(
      readJson(path.join(root, 'package-lock.json')),
      readJson(path.join(root, 'node_modules/.package-lock.json')),
    );
  return {
    isNeeded: async () => why() !== null,
    async run() {
      say(`installing packages with npm ci (${why()})`);
      // Without scripts: none is needed.
      const code = await npm(['ci', '--ignore-scripts', '--include=dev', '--include=optional'], { cwd: root });
      if (code === 0) return;
      throw new SetupError(
        'install packages',
        `npm ci ended with code ${code}; see its output above.`,
        'check that the npm registry can be reached (npm ping), behind a proxy set npm_config_proxy, then run again',
      );
    },
  };
}

/**
 * @param {string} file
 * @returns {Lock | null}
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // Missing or incomplete: the same as not installed.
  }
}
