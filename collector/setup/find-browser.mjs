// @ts-check
/**
 * Finds an installed browser. Without dependencies, because the bootstrap needs it before npm ci; the lab imports the same
 * file, so that both always agree on the browser.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * @typedef {'chromium' | 'firefox'} BrowserKind
 * @typedef {{ kind: BrowserKind, path: string, from: string }} FoundBrowser
 *   `from` is `installed`, or the environment variable that names it.
 * @typedef {object} Machine what `findBrowser` needs to know about the machine; tests pass their own
 * @property {string} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} home
 * @property {(file: string) => boolean} isExecutable
 */

/** @type {readonly BrowserKind[]} */
export const BROWSER_KINDS = ['chromium', 'firefox'];

const VARIABLES = { chromium: 'LASTBYTE_CHROMIUM', firefox: 'LASTBYTE_FIREFOX' };

/** In order of preference: branded Chrome has ignored --load-extension since 137, so Chromium comes first. */
const PATH_NAMES = {
  chromium: [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'microsoft-edge',
    'microsoft-edge-stable',
  ],
  firefox: ['firefox', 'firefox-esr'],
};

const MAC_APPLICATIONS = {
  chromium: [
    'Chromium.app/Contents/MacOS/Chromium',
    'Google Chrome.app/Contents/MacOS/Google Chrome',
    'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  firefox: ['Firefox.app/Contents/MacOS/firefox'],
};

const WINDOWS_PROGRAMS = {
  chromium: [
    'Chromium\\Application\\chrome.exe',
    'Google\\Chrome\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ],
  firefox: ['Mozilla Firefox\\firefox.exe'],
};

/**
 * The executable of a browser: the one its variable names, else the first installed one, else null. Throws if the variable
 * names something that cannot be run: silently using another would mislead.
 * @param {BrowserKind} kind
 * @param {Machine} machine
 * @returns {FoundBrowser | null}
 */
export function findBrowser(kind, machine = thisMachine()) {
  const variable = VARIABLES[kind];
  const named = machine.env[variable];
  if (named) {
    if (machine.isExecutable(named)) return { kind, path: named, from: variable };
    throw new Error(`${variable} names ${named}, which is not an executable file. Correct or unset it.`);
  }
  const found = candidates(kind, machine).find((file) => machine.isExecutable(file));
  return found === undefined ? null : { kind, path: found, from: 'installed' };
}

/** @returns {Machine} */
export function thisMachine() {
  return { platform: process.platform, env: process.env, home: homedir(), isExecutable };
}

/**
 * @param {BrowserKind} kind
 * @param {Machine} machine
 * @returns {string[]}
 */
function candidates(kind, { platform, env, home }) {
  if (platform === 'darwin') {
    return MAC_APPLICATIONS[kind].flatMap((app) => [`/Applications/${app}`, `${home}/Applications/${app}`]);
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return WINDOWS_PROGRAMS[kind].flatMap((program) => roots.map((root) => `${root}\\${program}`));
  }
  const folders = [...(env.PATH ?? '').split(':').filter(Boolean), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  return PATH_NAMES[kind].flatMap((name) => folders.map((folder) => path.posix.join(folder, name)));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
