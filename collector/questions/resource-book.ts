/** What was fetched first, resource by resource, of millions of them: no resource is an object. */
export interface ResourceBook {
  /**
   * A request of a resource, in any order of time.
   * @param bytes −1 where it did not go over the network
   */
  note(group: number, low: number, high: number, at: number, bytes: number): void;
  /** How many resources of a group were first asked for over the network, and the bytes of those first requests. */
  firsts(group: number): { requests: number; bytes: number };
}

const START_BITS = 12;
/** Of 64 bits two in ten million resources are alike once in 400,000 times. */
const MAX_FULL = 0.6;

/** An open table: of each resource 64 bits of hash, when it was first asked for and how many bytes that brought. */
export function createResourceBook(): ResourceBook {
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
    for (let place = 0; place < old.at.length; place++) {
      if (Number.isNaN(old.at[place])) continue;
      const free = placeOf(table, old.low[place] as number, old.high[place] as number);
      table.low[free] = old.low[place] as number;
      table.high[free] = old.high[place] as number;
      table.at[free] = old.at[place] as number;
      table.bytes[free] = old.bytes[place] as number;
    }
  }

  return {
    note(group, low, high, at, bytes) {
      const place = placeOf(table, low, high);
      const before = table.at[place] as number;
      if (before <= at) return;
      const count = firstOf(group);
      if (Number.isNaN(before)) {
        table.low[place] = low;
        table.high[place] = high;
        used++;
      } else if ((table.bytes[place] as number) >= 0) {
        count.requests--;
        count.bytes -= table.bytes[place] as number;
      }
      table.at[place] = at;
      table.bytes[place] = bytes;
      if (bytes >= 0) {
        count.requests++;
        count.bytes += bytes;
      }
      if (used > table.at.length * MAX_FULL) grow();
    },
    firsts: firstOf,
  };
}

interface Table {
  readonly bits: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** NaN where the place is free. */
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

/** Where it is, or where it goes. */
function placeOf({ low: lows, high: highs, at }: Table, low: number, high: number): number {
  const mask = at.length - 1;
  let place = (low ^ (high << 7)) & mask;
  while (!Number.isNaN(at[place]) && (lows[place] !== low || highs[place] !== high)) place = (place + 1) & mask;
  return place;
}
