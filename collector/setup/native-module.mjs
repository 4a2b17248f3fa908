// @ts-check
/** better-sqlite3 is the only native module: a prebuilt binary if there is one, else compiled here. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aptInstall, canApt, installCommand } from './apt.mjs';
import { npm, run, SetupError, say } from './run-step.mjs';

/** Run in a separate process, because a binary for another Node version may crash it. */
const LOADS = "new (require('better-sqlite3'))(':memory:').prepare('select 1').get()";

const COMPILERS = {
  apt: 'python3 make g++',
  dnf: 'python3 make gcc-c++',
  pacman: 'python base-devel',
  zypper: 'python3 make gcc-c++',
  apk: 'python3 make g++ linux-headers',
  darwin: 'xcode-select --install',
  win32: 'winget install Python.Python.3.12 Microsoft.VisualStudio.2022.BuildTools',
};

/** @param {string} root */
export function nativeModuleStep(root) {
  return {
    isNeeded: async () => !(await loads(root)),
    async run() {
      say('looking for a prebuilt better-sqlite3');
      if ((await fetchPrebuilt(root)) && (await loads(root))) return;
      if (!(await hasCompilers())) await installCompilers();
      say('there is none for this machine: compiling better-sqlite3 (takes a minute or two)');
      if ((await compile(root)) && (await loads(root))) return;
      throw new SetupError(
        'compile better-sqlite3',
        'neither the prebuilt nor the compiled binary loads; see the output above.',
        `run "${installCommand(COMPILERS)}", and check that Node's headers are installed (npm_config_nodedir names their folder)`,
      );
    },
  };
}

/**
 * The folder of the running Node's headers, so that node-gyp need not download them; null if they are missing or belong to
 * another version, such as a distribution's.
 * @param {string} execPath
 * @param {string} version as in `process.versions.node`
 * @param {(file: string) => string} [read]
 */
export function nodeDirectory(execPath, version, read = (file) => readFileSync(file, 'utf8')) {
  const prefix = path.dirname(path.dirname(execPath));
  try {
    const header = read(path.join(prefix, 'include/node/node_version.h'));
    const part = (/** @type {string} */ name) => header.match(new RegExp(`#define NODE_${name}_VERSION (\\d+)`))?.[1];
    const found = ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.');
    return found === version ? prefix : null;
  } catch {
    return null;
  }
}

/**
 * The first step of better-sqlite3's own install script, without its fallback, which would fill the screen with the errors
 * of a compiler that is about to be installed.
 * @param {string} root
 */
async function fetchPrebuilt(root) {
  const modules = path.join(root, 'node_modules');
  const script = path.join(modules, 'prebuild-install/bin.js');
  return (await run(process.execPath, [script], { cwd: path.join(modules, 'better-sqlite3'), quiet: true })) === 0;
}

/** @param {string} root */
async function compile(root) {
  const directory = nodeDirectory(process.execPath, process.versions.node);
  const headers = directory === null ? {} : { npm_config_nodedir: directory };
  const env = { ...process.env, JOBS: 'max', ...headers, npm_config_build_from_source: 'better-sqlite3' };
  return (await npm(['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: root, env })) === 0;
}

/** @param {string} root */
async function loads(root) {
  return (await run(process.execPath, ['-e', LOADS], { cwd: root, quiet: true })) === 0;
}

async function hasCompilers() {
  const codes = await Promise.all(['python3', 'make', 'g++'].map((tool) => run(tool, ['--version'], { quiet: true })));
  return codes.every((code) => code === 0);
}

async function installCompilers() {
  if (canApt() && (await aptInstall(COMPILERS.apt.split(' ')))) return;
  throw new SetupError(
    'compile better-sqlite3',
    'there is no prebuilt binary for this machine, and python3, make or a C++ compiler is missing.',
    installCommand(COMPILERS),
  );
}
