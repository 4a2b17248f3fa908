// @ts-check
import { aptInstall, canApt } from './apt.mjs';
import { APT_PACKAGES, howToInstall } from './browser-install-hint.mjs';
import { BROWSER_KINDS, findBrowser, thisMachine } from './find-browser.mjs';
import { SetupError } from './run-step.mjs';

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
