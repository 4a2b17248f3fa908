import { findTarget, hostPermission } from '../../../shared/redact/match-pattern.ts';
import { type Item, toText } from './settings-path.ts';

/** More would be a list of trackers. */
const MAX_OFFERED = 5;

interface SeenHost {
  readonly host?: string | null;
  readonly scheme?: string | null;
  readonly samples: number;
}

/** Patterns for hosts that pages of the apps load from and that are no part of any app, those with most samples first. */
export function unwatchedHosts(seen: readonly SeenHost[], targets: readonly Item[]): readonly string[] {
  const watched = targets.map(({ match }) => ({
    match: Array.isArray(match) ? match.map((pattern) => hostPermission(toText(pattern))) : [],
  }));
  const isWatched = (host: string) =>
    ['http', 'https'].some((one) => findTarget(`${one}://${host}/`, watched) !== null);
  return [...seen]
    .sort((a, b) => b.samples - a.samples)
    .flatMap(({ host, scheme }) =>
      // A name in parentheses stands for several.
      !host || host.startsWith('(') || !scheme || isWatched(host) ? [] : [`${scheme}://${host}/*`],
    )
    .slice(0, MAX_OFFERED);
}
