/** Any JSON value. Settings are handled as such, so that parts without a form are compared and kept too. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

/** One difference. */
export interface Difference {
  /** Names and ids from the document down: `['targets', 'erp', 'match']`. */
  readonly path: readonly string[];
  /** Undefined if it did not exist. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Differences between two documents. Lists of items with ids are compared by id, so inserting one is one difference. */
export function settingsDiff(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[] = [],
): Difference[] {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => settingsDiff(own(before, name), own(after, name), [...path, name]));
  }
  if (isList(before) && isList(after)) {
    const [earlier, later] = [byId(before), byId(after)];
    if (earlier !== null && later !== null) {
      const ids = [...new Set([...earlier.keys(), ...later.keys()])];
      const changed = ids.flatMap((id) => settingsDiff(earlier.get(id), later.get(id), [...path, id]));
      // The same items in another order.
      return changed.length > 0 ? changed : [{ path, before, after }];
    }
  }
  return [{ path, before, after }];
}

/** Names at the top of the document whose values differ: `targets`, `retention`. */
export function changedParts(before: Json | undefined, after: Json | undefined): readonly string[] {
  return [...new Set(settingsDiff(before, after).flatMap(({ path: [name] }) => name ?? []))];
}

export interface Merged {
  readonly document: Json | undefined;
  /** Paths that both changed differently; the document has our values there. */
  readonly conflicts: readonly (readonly string[])[];
}

/** Applies our changes to `base` to `theirs` instead: a three-way merge. */
export function mergeSettings(
  base: Json | undefined,
  ours: Json | undefined,
  theirs: Json | undefined,
  path: readonly string[] = [],
): Merged {
  if (isSame(base, ours) || isSame(ours, theirs)) return { document: theirs, conflicts: [] };
  if (isSame(base, theirs)) return { document: ours, conflicts: [] };
  if (isObject(ours) && isObject(theirs)) {
    const from = isObject(base) ? base : {};
    return mergedOf(
      [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].map((name) => [
        name,
        mergeSettings(own(from, name), own(ours, name), own(theirs, name), [...path, name]),
      ]),
      (entries) => Object.fromEntries(entries),
    );
  }
  if (isList(ours) && isList(theirs)) {
    const [mine, other, old] = [byId(ours), byId(theirs), isList(base) ? byId(base) : new Map<string, Json>()];
    if (mine !== null && other !== null && old !== null) {
      return mergedOf(
        [...new Set([...other.keys(), ...mine.keys()])].map((id) => [
          id,
          mergeSettings(old.get(id), mine.get(id), other.get(id), [...path, id]),
        ]),
        (entries) => entries.map(([, value]) => value),
      );
    }
  }
  return { document: ours, conflicts: [path] };
}

function mergedOf(parts: readonly (readonly [string, Merged])[], make: (kept: [string, Json][]) => Json): Merged {
  const kept = parts.flatMap(([name, { document }]): [string, Json][] =>
    document === undefined ? [] : [[name, document]],
  );
  return { document: make(kept), conflicts: parts.flatMap(([, { conflicts }]) => conflicts) };
}

/** Null unless every item has an id of its own. */
function byId(list: readonly Json[]): Map<string, Json> | null {
  const found = new Map<string, Json>();
  for (const item of list) {
    const id = isObject(item) ? own(item, 'id') : undefined;
    if (typeof id !== 'string' || found.has(id)) return null;
    found.set(id, item);
  }
  return found;
}

/** Deep equality. The order of names does not matter, that of list items does. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(own(one, name), own(other, name)));
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
