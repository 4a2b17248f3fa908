import type { TimingEntry } from '../shared/timing/timing-entry.ts';
import type { EntryGroup, SeenEntry } from './messages.ts';

/** `entry` value by value in the order of ENTRY_NAMES, then `hidden`, `restored` and `seenAt`. */
export type PackedEntry = readonly unknown[];

/**
 * A group on its way. Without names, which are 70 % of it: the page pays for each byte that is written and handed over, and
 * storage.local holds 10 MB at most. And as JSON: browsers translate what is sent or stored value by value, and a page
 * that is left does both.
 */
export type PackedGroup = Omit<EntryGroup, 'entries'> & {
  /** Of PackedEntry[]. */
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
