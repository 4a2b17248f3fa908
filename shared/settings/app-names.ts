import type { Target } from './settings-schema.ts';

/** The names of apps by target id. An id without a name stands for itself: its app may have been removed. */
export type NamesOfApps = ReadonlyMap<string, string>;

export const NO_APP_NAMES: NamesOfApps = new Map();

/** Apps that share a name have their ids beside it. */
export function appNames(targets: readonly Pick<Target, 'id' | 'name'>[]): NamesOfApps {
  const uses = new Map<string, number>();
  for (const { name } of targets) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(targets.map(({ id, name }) => [id, uses.get(name) === 1 ? name : `${name} (${id})`]));
}
