import type { TimingEntry } from '../shared/timing/timing-entry.ts';
import type { EntryGroup, SeenEntry } from './messages.ts';

/** `entry` value by value in the order of ENTRY_NAMES, then `hidden`, `restored` and `seenAt`. */
export type PackedEntry = readonly unknown[];

/**
 * A group on its way: names are 70 % of it, and the page pays for each byte that is written and handed over. Also takes a
 * third of the room in storage.local, which holds 10 MB at most.
 */
export type PackedGroup = Omit<EntryGroup, 'entries'> & { readonly entries: readonly PackedEntry[] };

/** As `copyEntry` writes them down. */
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

/** `entry` has to come from `copyEntry`: its order is what is sent. */
export function packEntry({ entry, hidden, restored, seenAt }: SeenEntry): PackedEntry {
  return [...Object.values(entry), hidden, restored, seenAt];
}

export function unpackGroup(group: PackedGroup): EntryGroup {
  return { ...group, entries: group.entries.map(unpackEntry) };
}

function unpackEntry(packed: PackedEntry): SeenEntry {
  const entry = Object.fromEntries(ENTRY_NAMES.map((name, index) => [name, packed[index]]));
  const [hidden, restored, seenAt] = packed.slice(ENTRY_NAMES.length);
  return {
    entry: entry as unknown as TimingEntry,
    hidden: hidden === true,
    restored: restored === true,
    seenAt: Number(seenAt),
  };
}
