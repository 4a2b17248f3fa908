import type { TimingEntry } from '../shared/timing/timing-entry.ts';
import type { EntryGroup, SeenEntry } from './messages.ts';

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

/** In the order in which `entryValues` reads them. */
export const ENTRY_NAMES: readonly (keyof TimingEntry)[] = [
  'entryType',
  'name',
  'initiatorType',
  'nextHopProtocol',
  'navigationType',
  'startTime',
  'redirectStart',
  'redirectEnd',
  'workerStart',
  'fetchStart',
  'domainLookupStart',
  'domainLookupEnd',
  'connectStart',
  'secureConnectionStart',
  'connectEnd',
  'requestStart',
  'responseStart',
  'responseEnd',
  'transferSize',
  'encodedBodySize',
  'decodedBodySize',
  'finalResponseHeadersStart',
  'responseStatus',
  'contentType',
  'deliveryType',
  'activationStart',
  'redirectCount',
  'serverTiming',
];

export function unpackGroup(group: PackedGroup): EntryGroup {
  return { ...group, entries: (JSON.parse(group.entries) as PackedEntry[]).map(unpackEntry) };
}

function unpackEntry(packed: PackedEntry): SeenEntry {
  const [hidden, restored, seenAt] = packed.slice(ENTRY_NAMES.length);
  return { entry: nameValues(packed), hidden: hidden === true, restored: restored === true, seenAt: Number(seenAt) };
}

export function nameValues(values: readonly unknown[]): TimingEntry {
  return Object.fromEntries(ENTRY_NAMES.map((name, index) => [name, values[index]])) as unknown as TimingEntry;
}
