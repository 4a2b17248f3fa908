// @ts-check
/**
 * `node packaging/store/source-package.mjs [FILE]`: what Mozilla's reviewers build dist/firefox.xpi from, and nothing else, as a
 * zip file (default: dist/firefox-sources.zip). The same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipFiles } from '../../collector/rollout/package/zip-files.mjs';
import manifest from '../../package.json' with { type: 'json' };

const FOLDERS = ['extension', 'shared'];
const FILES = ['collector/rollout/package/zip-files.mjs', 'tsconfig.base.json', '.npmrc', 'LICENSE'];
/** Everything that the build and its result contain: five packages instead of hundreds. */
const PACKAGES = ['dom-accessibility-api', 'esbuild', 'fflate', 'webextension-polyfill'];

const [out = 'dist/firefox-sources.zip'] = process.argv.slice(2);
const listed = execFileSync('git', ['ls-files', '-z', '--', ...FOLDERS, ...FILES], { encoding: 'utf8' });
const names = listed.split('\0').filter(Boolean);
const files = names.map((name) => ({ name, content: readFileSync(name) }));
const readme = { name: 'README.md', content: readFileSync('packaging/store/source-package.md') };
writeFileSync(out, zipFiles([...files, readme, ...lockedPackages()]));

/** package.json with these packages alone, and the lock file that npm cuts down to them, which keeps every version. */
function lockedPackages() {
  const { name, version, license, type, engines, dependencies, devDependencies } = manifest;
  /** @type {Record<string, string>} */
  const known = { ...dependencies, ...devDependencies };
  const own = Object.fromEntries(PACKAGES.map((each) => [each, known[each]]));
  const folder = mkdtempSync(join(tmpdir(), 'lastbyte-sources-'));
  try {
    const reduced = { name, version, private: true, license, type, engines, dependencies: own };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(reduced, null, 2)}\n`);
    for (const file of ['package-lock.json', '.npmrc']) writeFileSync(join(folder, file), readFileSync(file));
    execFileSync('npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'], { cwd: folder });
    return ['package.json', 'package-lock.json'].map((file) => ({
      name: file,
      content: readFileSync(join(folder, file)),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
