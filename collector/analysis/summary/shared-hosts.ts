/** Below this part of requests to the same hosts two scenarios do not compare; below `SAME_HOSTS` it is said. */
export const MIN_SHARED_HOSTS = 0.5;
export const SAME_HOSTS = 0.9;

/** Requests by host. */
export type HostCounts = ReadonlyMap<string, number>;

/**
 * Part of the requests of two groups that went to the same hosts in the same proportion, 0 … 1. Two hosts lie at
 * different distances: what is compared across them is the way and not TLS.
 */
export function sharedHosts(one: HostCounts, other: HostCounts): number {
  const [mine, theirs] = [sumOf(one), sumOf(other)];
  if (mine === 0 || theirs === 0) return 0;
  // Divided last: a sum of fractions depends on the order of the hosts.
  const together = [...one].reduce((sum, [host, n]) => sum + Math.min(n * theirs, (other.get(host) ?? 0) * mine), 0);
  return together / (mine * theirs);
}

function sumOf(counts: HostCounts): number {
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}
