// @ts-check
/**
 * A current Node where the machine's own is too old: npm's package of it, locked in the folder `node` beside this file, so that
 * installing the project itself never downloads one. The old Node reads this file and its imports: Node 18 must understand them.
 */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { npm, run, SetupError, say } from './run-step.mjs';

const NEEDED = 'Node 22.18, or 24 and newer';

/**
 * As engines.node of package.json says: the first of these reads TypeScript without a flag.
 * @param {string} version as in `process.versions.node`
 */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 18);
}

/**
 * The program to run everything with; `isNeeded` and `run` install it.
 * @param {string} root
 * @param {{ version?: string, platform?: string, arch?: string }} [machine]
 */
export function nodeStep(
  root,
  { version = process.versions.node, platform = process.platform, arch = process.arch } = {},
) {
  const folder = path.join(root, 'collector/setup/node');
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  const locked = packages[`node_modules/${name}`];
  const home = path.join(folder, 'node_modules', name);
  const program = path.join(home, locked?.bin.node ?? '');
  const starts = async () => (await run(program, ['--version'], { quiet: true })) === 0;
  const fail = (/** @type {string} */ problem) => {
    throw tooOld(problem, version);
  };
  return {
    program,
    isNeeded: async () => locked === undefined || installedVersion(home) !== locked.version || !(await starts()),
    async run() {
      if (locked === undefined) return fail(`there is no package of one for ${platform} ${arch}`);
      say(`this is Node ${version}, and Lastbyte needs ${NEEDED}: installing Node ${locked.version} into ${folder}`);
      // npm ci keeps an unfinished download of the same version.
      rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
      const code = await npm(['ci', '--ignore-scripts', '--include=optional'], { cwd: folder });
      if (code !== 0) return fail(`npm ci ended with code ${code} (see its output above)`);
      // Such as Alpine, whose C library is not the one that these packages are built for.
      if (!(await starts())) return fail(`${program} does not start on this machine`);
    },
  };
}

/**
 * @param {string} problem why there is no newer one
 * @param {string} [version]
 */
export function tooOld(problem, version = process.versions.node) {
  return new SetupError(
    'get a newer Node',
    `this is Node ${version}, Lastbyte needs ${NEEDED}, and ${problem}.`,
    'install a current Node from https://nodejs.org or with the system’s package manager, and run the command again',
  );
}

/** @param {string} home */
function installedVersion(home) {
  try {
    return JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).version;
  } catch {
    return null; // Missing or incomplete: not installed.
  }
}
