import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export type BrowserEngine = 'chromium' | 'firefox';
export const BROWSER_ENGINES: readonly BrowserEngine[] = ['chromium', 'firefox'];

/** Where to look: the parts of a machine that decide it, so that a test can describe another one. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** True for a file this user may run. */
  isExecutable(path: string): boolean;
}

export type FoundBrowser =
  | { readonly ok: true; readonly engine: BrowserEngine; readonly path: string }
  | { readonly ok: false; readonly code: BrowserNotFound; readonly message: string; readonly hint: string };

export type BrowserNotFound = 'browser_not_found' | 'browser_not_executable';

/** Names one browser and wins over everything installed. */
export const BROWSER_VARIABLES: Readonly<Record<BrowserEngine, string>> = {
  chromium: 'LASTBYTE_CHROMIUM',
  firefox: 'LASTBYTE_FIREFOX',
};

const LINUX_NAMES: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser', 'microsoft-edge-stable'],
  firefox: ['firefox-esr', 'firefox'],
};
/** Besides PATH: where the vendors' own packages install. */
const LINUX_PATHS: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/snap/bin/chromium'],
  firefox: ['/opt/firefox/firefox', '/usr/lib/firefox-esr/firefox-esr', '/usr/lib/firefox/firefox'],
};
const MAC_APPS: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: [
    'Chromium.app/Contents/MacOS/Chromium',
    'Google Chrome.app/Contents/MacOS/Google Chrome',
    'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  firefox: ['Firefox.app/Contents/MacOS/firefox', 'Firefox ESR.app/Contents/MacOS/firefox'],
};
const WINDOWS_PROGRAMS: Readonly<Record<BrowserEngine, readonly string[]>> = {
  chromium: [
    'Chromium\\Application\\chrome.exe',
    'Google\\Chrome\\Application\\chrome.exe',
    'Microsoft\\Edge\\Application\\msedge.exe',
  ],
  firefox: ['Mozilla Firefox\\firefox.exe', 'Mozilla Firefox ESR\\firefox.exe'],
};
const WINDOWS_FOLDERS = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'];

const INSTALL_COMMAND: Readonly<Record<BrowserEngine, Readonly<Record<string, string>>>> = {
  chromium: {
    linux: 'sudo apt-get install chromium',
    darwin: 'brew install --cask chromium',
    win32: 'winget install Google.Chrome',
  },
  firefox: {
    linux: 'sudo apt-get install firefox-esr',
    darwin: 'brew install --cask firefox',
    win32: 'winget install Mozilla.Firefox',
  },
};

/**
 * The browser to drive: the one named by LASTBYTE_CHROMIUM or LASTBYTE_FIREFOX, else the first one installed.
 * A named one that cannot be run is an error, never silently another browser.
 */
export function findBrowser(engine: BrowserEngine, machine: Machine = thisMachine()): FoundBrowser {
  const variable = BROWSER_VARIABLES[engine];
  const named = machine.env[variable];
  if (named) {
    if (machine.isExecutable(named)) return { ok: true, engine, path: named };
    return {
      ok: false,
      code: 'browser_not_executable',
      message: `${variable} names ${named}, which is not a program this user can run.`,
      hint: `Point ${variable} at the browser's program file, or unset it to use the one installed.`,
    };
  }
  const path = candidates(engine, machine).find((candidate) => machine.isExecutable(candidate));
  if (path) return { ok: true, engine, path };
  const install = INSTALL_COMMAND[engine][machine.platform];
  return {
    ok: false,
    code: 'browser_not_found',
    message: `No ${engine === 'chromium' ? 'Chrome, Chromium or Edge' : 'Firefox'} was found on this machine.`,
    hint: `${install ? `Install one (${install})` : 'Install one'}, or set ${variable} to its program file.`,
  };
}

function candidates(engine: BrowserEngine, { env, platform }: Machine): string[] {
  if (platform === 'win32') {
    return WINDOWS_FOLDERS.flatMap((folder) => {
      const root = env[folder];
      return root ? WINDOWS_PROGRAMS[engine].map((program) => win32.join(root, program)) : [];
    });
  }
  const folders = (env.PATH ?? '').split(':').filter(Boolean);
  const onPath = LINUX_NAMES[engine].flatMap((name) => folders.map((folder) => posix.join(folder, name)));
  if (platform !== 'darwin') return [...onPath, ...LINUX_PATHS[engine]];
  const roots = ['/Applications', ...(env.HOME ? [posix.join(env.HOME, 'Applications')] : [])];
  return [...MAC_APPS[engine].flatMap((app) => roots.map((root) => posix.join(root, app))), ...onPath];
}

function thisMachine(): Machine {
  return { env: process.env, platform: process.platform, isExecutable };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
