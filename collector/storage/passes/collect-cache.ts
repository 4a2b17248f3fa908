import { NULL, type SampleColumns } from '../../../shared/sample/sample-columns.ts';
import { mixHash } from '../rollups/row-digest.ts';
import { dimensionColumn } from './dimension-column.ts';
import type { QueryGroups } from './query-groups.ts';
import type { RangePass } from './range-pass.ts';
import type { RowPart } from './row-part.ts';

const RESOURCE = ['client', 'scheme', 'host', 'template', 'type'] as const;

/** Requests of one group. */
export interface CacheCount {
  samples: number;
  cached: number;
  /** Fetched over the network. */
  bytes: number;
  /** Requests of a resource that the browser had fetched before, and their bytes. */
  again: number;
  bytesAgain: number;
}

/**
 * Cache and refetches by type. Which request of a resource came first does not depend on the order in which chunks are read.
 * Call the result once the pass has run.
 *
 * @param byType groups by type, filters applied, without those that may not be shown
 */
export function collectCache(pass: RangePass, byType: QueryGroups): () => ReadonlyMap<string, CacheCount> {
  const counts: CacheCount[] = [];
  const firsts = createFirstRequests();
  pass.rows((part) => {
    if (byType.hasRows(part)) addPart(part, byType.groupsOfRows(part), counts, firsts);
  });
  return () => {
    const found = new Map<string, CacheCount>();
    counts.forEach((count, group) => {
      const { requests, bytes } = firsts.of(group);
      const { fetched, ...rest } = count as Counting;
      found.set(byType.keys[group]?.type ?? '', {
        ...rest,
        again: fetched - requests,
        bytesAgain: rest.bytes - bytes,
      });
    });
    return found;
  };
}

interface Counting extends CacheCount {
  /** Requests that went over the network. */
  fetched: number;
}

function addPart({ columns }: RowPart, groupOf: Int32Array, counts: CacheCount[], firsts: FirstRequests): void {
  const { low, high } = resourceHashes(columns);
  const at = columns.at();
  const connection = columns.text('connection');
  const overNetwork = connection.strings.map((word) => word === 'new' || word === 'reused');
  const cache = connection.strings.indexOf('cache');
  const transfer = columns.number('transferSize');
  const body = columns.number('encodedBodySize');
  for (let row = 0; row < columns.n; row++) {
    const group = groupOf[row] as number;
    if (group < 0) continue;
    while (counts.length <= group) {
      counts.push({ samples: 0, cached: 0, bytes: 0, again: 0, bytesAgain: 0, fetched: 0 } as Counting);
    }
    const count = counts[group] as Counting;
    const code = connection.codes[row] as number;
    const network = overNetwork[code] === true;
    const size = transfer[row] as number;
    const bytes = size !== NULL ? size : body[row] === NULL ? 0 : (body[row] as number);
    count.samples++;
    if (code === cache) count.cached++;
    if (network) {
      count.fetched++;
      count.bytes += bytes;
    }
    firsts.note(group, low[row] as number, high[row] as number, at[row] as number, network ? bytes : -1);
  }
}

/** A 64-bit hash of browser, scheme, host, path template and type together. */
function resourceHashes(columns: SampleColumns): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(columns.n);
  const high = new Int32Array(columns.n);
  for (const name of RESOURCE) {
    const { codes, strings: words } = dimensionColumn(columns, name);
    const one = Int32Array.from(words, (word) => hashText(word, 0));
    const other = Int32Array.from(words, (word) => hashText(word, 1));
    for (let row = 0; row < columns.n; row++) {
      const code = codes[row] as number;
      low[row] = mixHash(low[row] as number, code < 0 ? 0 : (one[code] as number));
      high[row] = mixHash(high[row] as number, code < 0 ? 1 : (other[code] as number));
    }
  }
  return { low, high };
}

/** The first request of each of millions of resources, without an object per resource. */
interface FirstRequests {
  /**
   * A request of a resource, in any order of time.
   * @param bytes −1 where it did not go over the network
   */
  note(group: number, low: number, high: number, at: number, bytes: number): void;
  /** How many resources of a group were first requested over the network, and the bytes of those first requests. */
  of(group: number): { requests: number; bytes: number };
}

const START_BITS = 12;
/** With 64 bits, ten million resources contain a collision once in 400,000 times. */
const MAX_FULL = 0.6;

/** An open-addressing hash table: per resource its 64-bit hash, and the time and bytes of its first request. */
function createFirstRequests(): FirstRequests {
  let table = newTable(START_BITS);
  let used = 0;
  const first: { requests: number; bytes: number }[] = [];

  function firstOf(group: number) {
    while (first.length <= group) first.push({ requests: 0, bytes: 0 });
    return first[group] as (typeof first)[number];
  }

  function grow(): void {
    const old = table;
    table = newTable(old.bits + 1);
    for (let slot = 0; slot < old.at.length; slot++) {
      if (Number.isNaN(old.at[slot])) continue;
      const free = slotOf(table, old.low[slot] as number, old.high[slot] as number);
      table.low[free] = old.low[slot] as number;
      table.high[free] = old.high[slot] as number;
      table.at[free] = old.at[slot] as number;
      table.bytes[free] = old.bytes[slot] as number;
    }
  }

  return {
    note(group, low, high, at, bytes) {
      const slot = slotOf(table, low, high);
      const before = table.at[slot] as number;
      if (before <= at) return;
      const count = firstOf(group);
      if (Number.isNaN(before)) {
        table.low[slot] = low;
        table.high[slot] = high;
        used++;
      } else if ((table.bytes[slot] as number) >= 0) {
        count.requests--;
        count.bytes -= table.bytes[slot] as number;
      }
      table.at[slot] = at;
      table.bytes[slot] = bytes;
      if (bytes >= 0) {
        count.requests++;
        count.bytes += bytes;
      }
      if (used > table.at.length * MAX_FULL) grow();
    },
    of: firstOf,
  };
}

interface Table {
  readonly bits: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** NaN in a free slot. */
  readonly at: Float64Array;
  readonly bytes: Float64Array;
}

function newTable(bits: number): Table {
  const size = 1 << bits;
  return {
    bits,
    low: new Int32Array(size),
    high: new Int32Array(size),
    at: new Float64Array(size).fill(Number.NaN),
    bytes: new Float64Array(size),
  };
}

/** The slot that holds it, or the free one where it belongs. */
function slotOf({ low: lows, high: highs, at }: Table, low: number, high: number): number {
  const mask = at.length - 1;
  let slot = (low ^ (high << 7)) & mask;
  while (!Number.isNaN(at[slot]) && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & mask;
  return slot;
}

/** Not a defence against forgery. @param seed different seeds give unrelated hashes */
function hashText(text: string, seed: number): number {
  let hash = mixHash(seed, text.length);
  for (let i = 0; i < text.length; i++) hash = mixHash(hash, text.charCodeAt(i));
  return hash;
}
