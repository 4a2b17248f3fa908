import type { TimingEntry } from '../shared/timing/timing-entry.ts';

/** An entry, together with what only its own document knows about it. */
export interface SeenEntry {
  readonly entry: TimingEntry;
  /** The document was hidden at some time between startTime and responseEnd. */
  readonly hidden: boolean;
  /** It started after the document came back from the back/forward cache. */
  readonly restored: boolean;
  /** `performance.now()` when it was copied. */
  readonly seenAt: number;
}

/**
 * Content script → background, a PackedGroup. Answered with `true` once on disk; until then resent with the same id.
 */
export interface EntryGroup {
  readonly kind: 'entries';
  /** Unique: a random id of the document, and a number. */
  readonly id: string;
  /** URL of the document, without its fragment. */
  readonly page: string;
  /** Origin of the document; the string `null` if it is opaque. */
  readonly origin: string;
  /** `activationStart` of a prerendered document, else 0. */
  readonly activationStart: number;
  /** False in an iframe. */
  readonly top: boolean;
  /** The document's time origin on the wall clock when the entries were sent (wallOrigin), epoch milliseconds. */
  readonly timeOrigin: number;
  readonly entries: readonly SeenEntry[];
  /** Entries that this document dropped since the last group because there were too many. */
  readonly dropped: number;
}

/** The values of `entry` in the order of ENTRY_NAMES, then `hidden`, `restored` and `seenAt`. */
export type PackedEntry = readonly unknown[];

/**
 * A group in transit. Without property names, which would be 70 % of it: the page pays for each byte written and sent,
 * and storage.local holds at most 10 MB. As JSON, because browsers serialize messages and stored values property by
 * property, and an unloading page does both.
 */
export type PackedGroup = Omit<EntryGroup, 'entries'> & {
  /** PackedEntry[] as JSON. */
  readonly entries: string;
};

/** In the order in which `entryValues` reads them, with the type that each has; `?` if it may be null. */
const ENTRY_TYPES = {
  entryType: 'string',
  name: 'string',
  initiatorType: 'string',
  nextHopProtocol: 'string',
  navigationType: 'string?',
  startTime: 'number',
  redirectStart: 'number',
  redirectEnd: 'number',
  workerStart: 'number',
  fetchStart: 'number',
  domainLookupStart: 'number',
  domainLookupEnd: 'number',
  connectStart: 'number',
  secureConnectionStart: 'number',
  connectEnd: 'number',
  requestStart: 'number',
  responseStart: 'number',
  responseEnd: 'number',
  transferSize: 'number',
  encodedBodySize: 'number',
  decodedBodySize: 'number',
  finalResponseHeadersStart: 'number?',
  responseStatus: 'number?',
  contentType: 'string?',
  deliveryType: 'string?',
  activationStart: 'number?',
  redirectCount: 'number?',
  serverTiming: 'timings',
} as const satisfies Readonly<Record<keyof TimingEntry, string>>;
const ENTRY_NAMES = Object.keys(ENTRY_TYPES) as (keyof TimingEntry)[];
const TYPES: readonly string[] = [...Object.values(ENTRY_TYPES), 'boolean', 'boolean', 'number'];

/** As many as a content script sends at once. */
const MAX_GROUP_ENTRIES = 500;
/** A page that made more requests than this is not counted further. */
const MAX_DROPPED = 1_000_000;
/** Longer than any that `entryValues` copies. */
const MAX_TEXT = 5_000;
/** Sizes in bytes and times in ms: a sum of several stays an exact number. */
const MAX_NUMBER = 2 ** 50;

/**
 * What the background received or found, as a group: a page may have taken over its process and written anything. `malformed`
 * counts the entries that are none. null if it is no group.
 */
export function readGroup(value: unknown): { readonly group: EntryGroup; readonly malformed: number } | null {
  const { kind, id, page, origin, activationStart, top, timeOrigin, entries, dropped } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (kind !== 'entries' || typeof id !== 'string' || !/^[a-z0-9]{1,40}-\d{1,9}$/.test(id)) return null;
  if (!isOf('string', page) || !isOf('string', origin) || !isOf('boolean', top)) return null;
  if (!isOf('number', activationStart) || !isOf('number', timeOrigin) || !isCount(dropped)) return null;
  const packed = typeof entries === 'string' ? parseList(entries) : null;
  if (packed === null || packed.length > MAX_GROUP_ENTRIES) return null;
  const sound = packed.filter(isEntry).map(unpackEntry);
  const group = { kind, id, page, origin, activationStart, top, timeOrigin, dropped, entries: sound } as EntryGroup;
  return { group, malformed: packed.length - sound.length };
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_DROPPED;
}

function parseList(json: string): readonly unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is PackedEntry {
  return (
    Array.isArray(value) &&
    value.length === TYPES.length &&
    TYPES.every((type, index) => isOf(type, value[index])) &&
    URL.canParse(value[ENTRY_NAMES.indexOf('name')])
  );
}

function isOf(type: string, value: unknown): boolean {
  if (value === null) return type.endsWith('?');
  if (type === 'timings') return Array.isArray(value) && value.length <= 64 && value.every(isTiming);
  if (typeof value === 'number' && !(Math.abs(value) <= MAX_NUMBER)) return false;
  return type.startsWith(typeof value) && (typeof value !== 'string' || value.length <= MAX_TEXT);
}

function isTiming(value: unknown): boolean {
  const { name, duration, description } = (value ?? {}) as Readonly<Record<string, unknown>>;
  // As JSON, a duration that is no number is null; any other that cannot be right costs only itself: server-timing.ts.
  return isOf('string', name) && (duration === null || typeof duration === 'number') && isOf('string', description);
}

function unpackEntry(packed: PackedEntry): SeenEntry {
  const [hidden, restored, seenAt] = packed.slice(ENTRY_NAMES.length);
  return { entry: nameValues(packed), hidden: hidden === true, restored: restored === true, seenAt: Number(seenAt) };
}

export function nameValues(values: readonly unknown[]): TimingEntry {
  return Object.fromEntries(ENTRY_NAMES.map((name, index) => [name, values[index]])) as unknown as TimingEntry;
}
