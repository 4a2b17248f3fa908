/**
 * What the requests of two scenarios have to have in common. Hosts and sites are at different distances, and a script does
 * not take as long as a page: across them, a comparison would measure the requests and not TLS.
 */
export const COMPARED_BY = ['host', 'type', 'site', 'template'] as const;
export type ComparedBy = (typeof COMPARED_BY)[number];
/** Those that rollups know. Of users' requests, the type stands for the path. */
export const COMPARED_BY_ROLLUPS = ['host', 'type', 'site'] as const satisfies readonly ComparedBy[];

/** Scenarios with a lower share of their requests in common are not compared; below `MOSTLY_ALIKE`, a note says so. */
export const MIN_ALIKE = 0.5;
const MOSTLY_ALIKE = 0.9;

/** Requests of a scenario by each of these; a dimension that all of them agree on may be absent. */
export type RequestCounts = Readonly<Partial<Record<ComparedBy, ReadonlyMap<string, number>>>>;

export interface Unlike {
  readonly by: ComparedBy;
  /** Share of the requests that are in the same groups in the same proportion, 0 … 1. */
  readonly share: number;
}

/** In what two scenarios differ by more than a tenth of their requests, the most first. */
export function unlikeIn(one: RequestCounts, other: RequestCounts): Unlike[] {
  return COMPARED_BY.map((by) => ({ by, share: shareInCommon(one[by], other[by]) }))
    .filter(({ share }) => share < MOSTLY_ALIKE)
    .sort((a, b) => a.share - b.share);
}

function shareInCommon(one: ReadonlyMap<string, number> = new Map(), other: ReadonlyMap<string, number> = new Map()) {
  const [mine, theirs] = [sumOf(one), sumOf(other)];
  if (mine === 0 || theirs === 0) return mine === theirs ? 1 : 0;
  // Divided last, because a sum of fractions would depend on the order of the groups.
  const together = [...one].reduce((sum, [name, n]) => sum + Math.min(n * theirs, (other.get(name) ?? 0) * mine), 0);
  return together / (mine * theirs);
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, n) => sum + n, 0);
}

/** Adds requests to a scenario's counts. */
export function countRequests(
  counts: Partial<Record<ComparedBy, Map<string, number>>>,
  by: ComparedBy,
  name: string,
  n: number,
): void {
  const own = counts[by] ?? new Map<string, number>();
  counts[by] = own;
  own.set(name, (own.get(name) ?? 0) + n);
}
