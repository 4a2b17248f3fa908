import type { Command } from 'commander';
import { splitFilterName } from '../../shared/vocabulary/dimensions.ts';
import { UsageFailure } from '../lib/failure.ts';

export interface FilterOption {
  readonly filter: readonly string[];
}

export function addFilterOption(command: Command): Command {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  return command.option(
    '--filter <dimension=value>',
    'only these samples, or with not.dimension=value none of these; repeatable',
    collect,
    [],
  );
}

/** Values by name, as in a query string. @param nameOf the name of a filter without its side of a comparison */
export function parseFilters(
  { filter }: FilterOption,
  dimensions: readonly string[],
  nameOf = (name: string) => name,
): Record<string, string[]> {
  const filters = new Map<string, string[]>();
  for (const text of filter) {
    const split = text.indexOf('=');
    const name = text.slice(0, Math.max(split, 0));
    if (!dimensions.includes(splitFilterName(nameOf(name)).dimension)) {
      throw new UsageFailure(
        `--filter ${text} is not a filter`,
        `Write dimension=value or not.dimension=value, with one of ${dimensions.join(', ')}.`,
      );
    }
    filters.set(name, [...(filters.get(name) ?? []), text.slice(split + 1)]);
  }
  return Object.fromEntries(filters);
}
