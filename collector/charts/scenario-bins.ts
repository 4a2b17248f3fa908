import type { TableDocument } from '../analysis/tables/table-document.ts';

export interface ScenarioBin {
  /** The scenario in words, with its source unless that is the users. */
  readonly name: string;
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Height relative to the scenario's highest bin, 0…1. */
  readonly height: number;
}

/** The scenarios view's histogram table as bars. */
export function scenarioBins(
  { rows }: TableDocument,
  nameOf: (scenario: string, source: string) => string,
): readonly ScenarioBin[] {
  const bins = rows.flatMap(({ scenario, source, from, to, count }) => {
    if (
      typeof scenario !== 'string' ||
      typeof source !== 'string' ||
      typeof from !== 'number' ||
      typeof to !== 'number'
    )
      return [];
    if (typeof count !== 'number' || from <= 0) return [];
    return [{ name: nameOf(scenario, source), scenario, from, to, count }];
  });
  const highest = new Map<string, number>();
  for (const { name, count } of bins) highest.set(name, Math.max(count, highest.get(name) ?? 0));
  return bins.map((bin) => ({ ...bin, height: bin.count / (highest.get(bin.name) ?? 1) }));
}
