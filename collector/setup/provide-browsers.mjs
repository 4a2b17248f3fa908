// @ts-check
import { aptInstall, canApt, installCommand } from './apt.mjs';
import { BROWSER_KINDS, findBrowser } from './find-browser.mjs';
import { SetupError } from './run-step.mjs';

const PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr' };

/**
 * @typedef {import('./find-browser.mjs').BrowserKind} BrowserKind
 * @param {readonly BrowserKind[]} kinds
 */
export function browsersStep(kinds) {
  const missing = () => kinds.filter((kind) => find(kind) === null);
  return {
    isNeeded: async () => missing().length > 0,
    async run() {
      if (canApt()) await aptInstall(missing().map((kind) => PACKAGES[kind]));
      const still = missing();
      if (still.length === 0) return;
      throw new SetupError('find a browser', `${still.join(' and ')} is not installed.`, howToInstall(still));
    },
  };
}

/**
 * The browsers a demo needs: the one asked for, else whichever is there, else Chromium.
 * @param {BrowserKind | null} asked
 * @returns {readonly BrowserKind[]}
 */
export function browsersOfDemo(asked) {
  if (asked !== null) return [asked];
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

/** @param {readonly BrowserKind[]} kinds */
function howToInstall(kinds) {
  const both = kinds.join(' ');
  const command = installCommand({
    apt: kinds.map((kind) => PACKAGES[kind]).join(' '),
    dnf: both,
    pacman: both,
    zypper: kinds.map((kind) => (kind === 'firefox' ? 'MozillaFirefox' : kind)).join(' '),
    apk: both,
    // Branded Chrome no longer loads unpacked extensions from the command line, so a plain build is named.
    darwin: kinds
      .map((kind) => (kind === 'firefox' ? 'brew install --cask firefox' : 'npx @puppeteer/browsers install chrome'))
      .join(' && '),
    win32: kinds
      .map((kind) => `winget install ${kind === 'firefox' ? 'Mozilla.Firefox' : 'Hibbiki.Chromium'}`)
      .join('; '),
  });
  const variables = kinds.map((kind) => `LASTBYTE_${kind.toUpperCase()}`).join(' and ');
  return `${command}   (or name one that is installed elsewhere with ${variables})`;
}
