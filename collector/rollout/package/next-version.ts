import { CommandFailure } from '../../lib/failure.ts';

/** Throws CommandFailure if browsers that have `before` would not accept `version`. */
export function refuseOlder(version: string, before: string): void {
  if (compareVersions(version, before) >= 0) return;
  throw new CommandFailure(
    `there already are packages of the newer version ${before}`,
    'Browsers never downgrade: package with that version or a newer one, or into another folder.',
  );
}

/** Limit for each part of a version: https://developer.chrome.com/docs/extensions/reference/manifest/version */
export const MAX_VERSION_PART = 65_535;

export interface VersionFacts {
  /** The extension's own, three numbers. */
  readonly own: string;
  /** Version of the existing packages; null if there are none. */
  readonly before: string | null;
  /** The new packages have the same contents. */
  readonly same: boolean;
}

/**
 * The extension's version and a fourth number, which grows with every change of targets or collector, because browsers
 * recognize an update only by its version. The same contents keep their version. Throws CommandFailure if it would have to
 * decrease.
 */
export function nextVersion({ own, before, same }: VersionFacts): string {
  if (before === null) return `${own}.1`;
  const order = compareVersions(own, before.split('.').slice(0, 3).join('.'));
  if (order > 0) return `${own}.1`;
  refuseOlder(`${own}.${MAX_VERSION_PART}`, before);
  if (same) return before;
  const number = Number(before.split('.')[3] ?? 0) + 1;
  if (number <= MAX_VERSION_PART) return `${own}.${number}`;
  throw new CommandFailure(`${before} is the highest possible version`, 'Package a newer version of Lastbyte.');
}

/** Negative if `a` is older. Missing parts count as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let part = 0; part < 4; part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
