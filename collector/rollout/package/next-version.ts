import { CommandFailure } from '../../lib/failure.ts';

/** Throws CommandFailure where browsers that have `before` would not take `version`. */
export function refuseOlder(version: string, before: string): void {
  if (compareVersions(version, before) >= 0) return;
  throw new CommandFailure(
    `packages of the newer version ${before} are there already`,
    'Browsers never go back: package with that version or a newer one, or into another folder.',
  );
}

/** Of each part of a version: https://developer.chrome.com/docs/extensions/reference/manifest/version */
export const MAX_VERSION_PART = 65_535;

export interface VersionFacts {
  /** The extension's own, three numbers. */
  readonly own: string;
  /** Of the packages made before; null where there are none. */
  readonly before: string | null;
  /** They hold the same as those before. */
  readonly same: boolean;
}

/**
 * The extension's version and a fourth number, which grows with every change of targets or collector: browsers take an
 * update by its number alone. The same contents keep theirs. Throws CommandFailure where it would have to go down.
 */
export function nextVersion({ own, before, same }: VersionFacts): string {
  if (before === null) return `${own}.1`;
  const order = compareVersions(own, before.split('.').slice(0, 3).join('.'));
  if (order > 0) return `${own}.1`;
  refuseOlder(`${own}.${MAX_VERSION_PART}`, before);
  if (same) return before;
  const number = Number(before.split('.')[3] ?? 0) + 1;
  if (number <= MAX_VERSION_PART) return `${own}.${number}`;
  throw new CommandFailure(`${before} is the last version there can be`, 'Package a newer version of Lastbyte.');
}

/** Negative where `a` is older. Missing parts count 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let part = 0; part < 4; part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
