import type { KindDays } from '../../../shared/statistics/fixed-mix.ts';

/** One kind of request and what it belongs to if it cannot be compared with itself, from fine to coarse. */
export interface Kind {
  /** The last one always holds. */
  readonly names: readonly string[];
  readonly days: KindDays;
}

/** With fewer, a kind's own level would follow its values, and take a change for granted. */
const MIN_VALUES = 10;
/** Of all days: within so many of the first and of the last one, a kind has to occur. */
const EDGE = 0.25;

/**
 * Kinds that can be compared with themselves over all days. One that is rare, or that began or ended in between as a page with a new
 * address does, has no level of its own to compare with: it is compared together with the others of the next coarser name.
 */
export function comparableKinds(kinds: readonly Kind[], days: number): KindDays[] {
  const found: KindDays[] = [];
  const levels = Math.max(0, ...kinds.map(({ names }) => names.length));
  let left = kinds.filter(({ days: { length } }) => length > 0);
  for (let level = 0; level < levels; level++) {
    const byName = new Map<string, Kind[]>();
    for (const kind of left) {
      const name = kind.names[level] as string;
      const own = byName.get(name);
      if (own === undefined) byName.set(name, [kind]);
      else own.push(kind);
    }
    const rest: Kind[] = [];
    for (const own of byName.values()) {
      const together = joined(own.map(({ days: of }) => of));
      if (level === levels - 1 || isLasting(together, days)) found.push(together);
      else rest.push(...own);
    }
    left = rest;
  }
  return found;
}

function isLasting(kind: KindDays, days: number): boolean {
  const [first, last] = [kind[0], kind.at(-1)];
  if (first === undefined || last === undefined) return false;
  const n = kind.reduce((sum, { sorted }) => sum + sorted.length, 0);
  return n >= MIN_VALUES && first.day < EDGE * days && last.day >= days - EDGE * days;
}

function joined(kinds: readonly KindDays[]): KindDays {
  const [only] = kinds;
  if (kinds.length === 1 && only !== undefined) return only;
  const byDay = new Map<number, Float64Array[]>();
  for (const { day, sorted } of kinds.flat()) {
    const own = byDay.get(day);
    if (own === undefined) byDay.set(day, [sorted]);
    else own.push(sorted);
  }
  return [...byDay]
    .sort(([a], [b]) => a - b)
    .map(([day, parts]) => {
      const sorted = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts) {
        sorted.set(part, at);
        at += part.length;
      }
      return { day, sorted: sorted.sort() };
    });
}
