// @ts-check
import { installCommand } from './apt.mjs';

/** With certutil, by which a temporary profile trusts the certificates of the demo and of nobody else. */
export const APT_PACKAGES = { chromium: 'chromium', firefox: 'firefox-esr libnss3-tools' };

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
    // Branded Chrome no longer loads unpacked extensions from the command line, so a plain build is named.
    darwin: kinds
      .map((kind) => (kind === 'firefox' ? 'brew install --cask firefox' : 'npx @puppeteer/browsers install chrome'))
      .join(' && '),
    win32: kinds
      .map((kind) => `winget install ${kind === 'firefox' ? 'Mozilla.Firefox' : 'Hibbiki.Chromium'}`)
      .join('; '),
  };
  const command = installCommand(how, { platform, exists: isExecutable });
  const variables = kinds.map((kind) => `LASTBYTE_${kind.toUpperCase()}`).join(' and ');
  return `${command}   (or name one that is installed elsewhere with ${variables})`;
}
