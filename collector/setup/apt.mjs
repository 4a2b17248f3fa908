// @ts-check
/** Debian and Ubuntu, as root: the only case in which the set-up installs system packages itself. */
import { existsSync } from 'node:fs';
import { run, say } from './run-step.mjs';

const APT_GET = '/usr/bin/apt-get';

export function canApt() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync(APT_GET);
}

/**
 * True if all of them are installed afterwards.
 * @param {readonly string[]} packages
 */
export async function aptInstall(packages) {
  say(`installing ${packages.join(', ')} with apt-get (may take some minutes)`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=600', '-o', 'Dpkg::Use-Pty=0'];
  // A failed update is not fatal: an older package list may be sufficient.
  await run(APT_GET, [...quiet, 'update'], { env });
  return (await run(APT_GET, [...quiet, 'install', '-y', '--no-install-recommends', ...packages], { env })) === 0;
}

/**
 * The command to run by hand where the set-up cannot install packages.
 * @param {{ apt: string, dnf: string, pacman: string, zypper: string, apk: string, darwin: string, win32: string }} how
 * @param {{ platform: string, exists: (file: string) => boolean }} [machine]
 */
export function installCommand(how, machine = { platform: process.platform, exists: existsSync }) {
  if (machine.platform === 'darwin') return how.darwin;
  if (machine.platform === 'win32') return how.win32;
  if (machine.exists('/usr/bin/dnf')) return `sudo dnf install -y ${how.dnf}`;
  if (machine.exists('/usr/bin/pacman')) return `sudo pacman -S --needed ${how.pacman}`;
  if (machine.exists('/usr/bin/zypper')) return `sudo zypper install -y ${how.zypper}`;
  if (machine.exists('/sbin/apk')) return `sudo apk add ${how.apk}`;
  return `sudo apt-get update && sudo apt-get install -y ${how.apt}`;
}
