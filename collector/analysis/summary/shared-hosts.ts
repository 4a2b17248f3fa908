/**
 * Two scenarios with a lower share of requests to the same hosts are not compared; below `SAME_HOSTS`, a note says so.
 */
export const MIN_SHARED_HOSTS = 0.5;
export const SAME_HOSTS = 0.9;

/** Requests by host. */
export type HostCounts = ReadonlyMap<string, number>;

/**
 * Share of the requests of two groups that went to the same hosts in the same proportion, 0 … 1. Hosts are at different
 * distances, so a comparison across hosts measures the path and not TLS.
 */
export function sharedHosts(one: HostCounts, other: HostCounts): number {
  const [mine, theirs] = [sumOf(one), sumOf(other)];
  if (mine === 0 || theirs === 0) return 0;
  // Divided last, because a sum of fractions would depend on the order of the hosts.
  const together = [...one].reduce((sum, [host, n]) => sum + Math.min(n * theirs, (other.get(host) ?? 0) * mine), 0);
  return together / (mine * theirs);
}

function sumOf(counts: HostCounts): number {
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}
