import type { Json } from './settings-diff.ts';

/** Steps from the document down: property names and list indexes. */
export type SettingsPath = readonly (string | number)[];

/** The JSON Pointer that the collector uses: `/targets/0/match/1`. https://www.rfc-editor.org/rfc/rfc6901 */
export function toPointer(path: SettingsPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAt(document: Json | undefined, [step, ...rest]: SettingsPath): Json | undefined {
  if (step === undefined) return document;
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, step)) return undefined;
  if (Array.isArray(document) && typeof step !== 'number') return undefined;
  return valueAt((document as Readonly<Record<string, Json>>)[step], rest);
}

/**
 * A copy with one value changed; undefined removes it. Missing parents are created, and optional parents that become empty
 * are removed: `retention: {}` has no meaning.
 */
export function withValue(document: Json, path: SettingsPath, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(document)) {
    const list = [...(document as readonly Json[])];
    if (rest.length === 0 && value === undefined) list.splice(Number(step), 1);
    else list[Number(step)] = rest.length === 0 ? (value ?? null) : withValue(list[Number(step)] ?? {}, rest, value);
    return list;
  }
  const object = { ...(document as Readonly<Record<string, Json>>) };
  const next =
    rest.length === 0 ? value : withValue(object[step] ?? (typeof rest[0] === 'number' ? [] : {}), rest, value);
  if (next === undefined || (PRUNED.has(String(step)) && isEmpty(next))) delete object[step];
  else object[step] = next;
  return object;
}

/** Optional parts that have no meaning when empty. */
const PRUNED: ReadonlySet<string> = new Set([
  'retention',
  'privacy',
  'delivery',
  'templateRules',
  'serverTimingMetrics',
  'unlockTimings',
  'exclude',
  'sites',
  'filters',
]);

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** An entry of a list, such as a target. */
export type Item = Readonly<Record<string, Json>>;

export function toItems(value: Json | undefined): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}

export function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The name of the item with this id in a list; the id if it has none or no longer exists. */
export function itemName(document: Json, list: SettingsPath, id: string): string {
  return toText(toItems(valueAt(document, list)).find((item) => item.id === id)?.name) || id;
}
