import { ZONE_ALIASES } from './zone-aliases.ts';

/** Lower case → as IANA writes it. Built when first needed: browsers never ask. */
let names: ReadonlyMap<string, string> | null = null;

/**
 * A time zone as the IANA database writes it, found in any case; null for a name it does not have. A closed list, so that
 * caches by zone stay small whatever clients send: `Intl.DateTimeFormat` accepts every spelling, and one costs 20 kB.
 */
export function zoneNamed(text: string): string | null {
  names ??= new Map(allNames().map((name) => [name.toLowerCase(), name]));
  return names.get(text.toLowerCase()) ?? null;
}

function allNames(): string[] {
  const aliases = Object.entries(ZONE_ALIASES).flatMap(([area, list]) =>
    list.split(' ').map((name) => (area === 'none' ? name : `${area}/${name}`)),
  );
  return [...Intl.supportedValuesOf('timeZone'), ...aliases];
}
