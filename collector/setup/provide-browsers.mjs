// @ts-check
import { aptInstall, canApt, installCommand } from './apt.mjs';
import { BROWSER_KINDS, findBrowser, thisMachine } from './find-browser.mjs';
import { SetupError } from './run-step.mjs';

/** With certutil, which makes a temporary profile trust the demo's certificates. */
const APT_PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr libnss3-tools' };

/**
 * @typedef {import('./find-browser.mjs').BrowserKind} BrowserKind
 * @param {readonly BrowserKind[]} kinds
 */
export function browsersStep(kinds) {
  const missing = () => kinds.filter((kind) => find(kind) === null);
  return {
    isNeeded: async () => missing().length > 0,
    async run() {
      if (canApt()) await aptInstall(missing().flatMap((kind) => APT_PACKAGES[kind].split(' ')));
      const still = missing();
      if (still.length === 0) return;
      throw new SetupError(
        'find a browser',
        `${still.join(' and ')} is not installed.`,
        howToInstall(still, thisMachine()),
      );
    },
  };
}

/**
 * The browser the demo needs: the requested one, else the first one installed, else Chromium.
 * @param {BrowserKind | null} requested
 * @returns {readonly BrowserKind[]}
 */
export function browsersOfDemo(requested) {
  if (requested !== null) return [requested];
  return [BROWSER_KINDS.find((kind) => find(kind) !== null) ?? 'chromium'];
}

/** @param {BrowserKind} kind */
function find(kind) {
  try {
    return findBrowser(kind);
  } catch (error) {
    throw new SetupError(
      'find a browser',
      /** @type {Error} */ (error).message,
      `unset LASTBYTE_${kind.toUpperCase()}`,
    );
  }
}

/**
 * The command for this platform, and the variable that names a browser installed elsewhere.
 * @param {readonly import('./find-browser.mjs').BrowserKind[]} kinds
 * @param {import('./find-browser.mjs').Machine} machine
 */
export function howToInstall(kinds, { platform, isExecutable }) {
  const both = kinds.join(' ');
  const how = {
    apt: kinds.map((kind) => APT_PACKAGES[kind]).join(' '),
    dnf: both,
    pacman: both,
    zypper: kinds.map((kind) => (kind === 'firefox' ? 'MozillaFirefox' : kind)).join(' '),
    apk: both,
    // Not branded Chrome, which no longer loads unpacked extensions from the command line.
    darwin: kinds
      .map((kind) => (kind === 'firefox' ? 'brew install --cask firefox' : 'npx @puppeteer/browsers install chrome'))
      .join(' && '),
    win32: kinds
      .map((kind) => `winget install ${kind === 'firefox' ? 'Mozilla.Firefox' : 'Hibbiki.Chromium'}`)
      .join('; '),
  };
  const command = installCommand(how, { platform, exists: isExecutable });
  const variables = kinds.map((kind) => `LASTBYTE_${kind.toUpperCase()}`).join(' and ');
  return `${command}   (or set ${variables} to one installed elsewhere)`;
}
