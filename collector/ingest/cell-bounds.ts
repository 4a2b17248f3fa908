import { NULL, TEXT_INDEX, type TextColumn, type TextName } from '../../shared/sample/sample-columns.ts';
import {
  CONNECTIONS,
  HANDSHAKES,
  type Handshake,
  PROTOCOLS,
  RESOURCE_TYPES,
  SCHEMES,
  SOURCES,
} from '../../shared/vocabulary/vocabulary.ts';
import { MAX_CELLS, OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../storage/columns/batch-columns.ts';
import { CalendarMonth } from './calendar-month.ts';
import { filterRows } from './decode/filter-rows.ts';
import { type NetworkSender, NetworkShares } from './network-shares.ts';

/** The closed words that tell cells apart. Together with target, host and site they are a cell (rollup/cell-dimensions.ts). */
const CLOSED = [
  closed('type', RESOURCE_TYPES),
  closed('connection', CONNECTIONS),
  closed('protocol', [...PROTOCOLS, OVERFLOW_NAME]),
  closed('scheme', SCHEMES),
  closed('handshake', HANDSHAKES),
  closed('source', SOURCES),
];

function closed(name: TextName, words: readonly string[]) {
  return { place: TEXT_INDEX[name], numbers: new Map(words.map((word, index) => [word, index + 1])) };
}
const UNKNOWN_HANDSHAKE: Handshake = 'unknown';

export interface BoundCells {
  /** Rows whose cell is kept. The very same object where all are. */
  readonly columns: BatchColumns;
  /** The others, in a coarser cell: they belong to the site `(other)`. Null where there are none. */
  readonly folded: BatchColumns | null;
}

export type CellBounds = (columns: BatchColumns, site: string, now: number, sender: NetworkSender) => BoundCells;

/** Combinations of closed words that are known at a target's host and site. */
type KnownCells = Set<number>;
const NONE: KnownCells = new Set();

/**
 * Words are closed and names bounded, but a rollup costs memory for each of their combinations, and a key in the wrong hands
 * can send them all. So a key may introduce a limited number of them each calendar month (UTC), and no network more than is
 * left for the others. Rows beyond that keep their type, connection, scheme and source, in which they can differ in less than
 * two thousand ways. In memory only: after a restart the first row of each cell counts again.
 */
export function createCellBounds(maxCells = MAX_CELLS): CellBounds {
  const month = new CalendarMonth();
  const known = new Map<string, Map<string, Map<string, KnownCells>>>();
  const shares = new NetworkShares(maxCells);

  function cellsAt(site: string, target: string, host: string): KnownCells {
    const targets = known.get(site) ?? new Map<string, Map<string, KnownCells>>();
    const hosts = targets.get(target) ?? new Map<string, KnownCells>();
    const cells = hosts.get(host) ?? new Set();
    known.set(site, targets);
    targets.set(target, hosts);
    hosts.set(host, cells);
    return cells;
  }

  return (columns, site, now, sender) => {
    if (month.turns(now)) {
      known.clear();
      shares.startOver();
    }
    const { n, texts } = columns;
    const [target, host] = [texts[TEXT_INDEX.target], texts[TEXT_INDEX.host]];
    if (target === undefined || host === undefined) return { columns, folded: null };
    const targets = known.get(site);
    const combinations = combinationsOf(columns);
    const hosts = host.entries.length;
    const places: (KnownCells | undefined)[] = [];
    let beyond: Set<number> | null = null;
    for (let row = 0; row < n; row++) {
      const t = target.codes[row] as number;
      const h = host.codes[row] as number;
      const place = t * hosts + h;
      let cells = places[place];
      if (cells === undefined) {
        cells = targets?.get(target.entries[t] as string)?.get(host.entries[h] as string) ?? NONE;
        places[place] = cells;
      }
      const combination = combinations[row] as number;
      if (cells.has(combination)) continue;
      if (shares.take(sender)) {
        cells = cellsAt(site, target.entries[t] as string, host.entries[h] as string);
        cells.add(combination);
        places[place] = cells;
      } else {
        beyond ??= new Set();
        beyond.add(row);
      }
    }
    if (beyond === null) return { columns, folded: null };
    const rows = beyond;
    return {
      columns: filterRows(columns, (row) => !rows.has(row)),
      folded: coarsened(filterRows(columns, (row) => rows.has(row))),
    };
  };
}

/** The number of each dictionary entry within a combination, at its index plus one; reused for every column. */
let shares = new Int32Array(0);
/** Used again for every batch. */
let combinations = new Int32Array(0);

/** Per row one number for its closed words. Valid until the next batch. */
function combinationsOf({ n, texts }: BatchColumns): Int32Array {
  if (combinations.length < n) combinations = new Int32Array(n);
  combinations.fill(0, 0, n);
  let radix = 1;
  for (const { place, numbers } of CLOSED) {
    const column = texts[place];
    if (column !== undefined) addShares(column, numbers, radix);
    radix *= numbers.size + 1;
  }
  return combinations;
}

function addShares({ entries, codes }: TextColumn, numbers: ReadonlyMap<string, number>, radix: number): void {
  if (shares.length <= entries.length) shares = new Int32Array(2 * entries.length + 1);
  shares[0] = 0;
  for (let entry = 0; entry < entries.length; entry++) {
    shares[entry + 1] = radix * (numbers.get(entries[entry] as string) ?? 0);
  }
  for (let row = 0; row < codes.length; row++) {
    combinations[row] = (combinations[row] as number) + (shares[(codes[row] as number) + 1] as number);
  }
}

/** A protocol that is not known stays so: what is folded is only what was told. */
function coarsened(columns: BatchColumns): BatchColumns {
  const texts = [...columns.texts];
  const all = (word: string): TextColumn => ({ entries: [word], codes: new Int32Array(columns.n) });
  for (const name of ['target', 'host', 'template'] as const) texts[TEXT_INDEX[name]] = all(OVERFLOW_NAME);
  texts[TEXT_INDEX.handshake] = all(UNKNOWN_HANDSHAKE);
  texts[TEXT_INDEX.handshakeEvidence] = undefined;
  const protocol = columns.texts[TEXT_INDEX.protocol];
  if (protocol !== undefined) {
    const codes = protocol.codes.map((code) => (code === NULL ? NULL : 0));
    texts[TEXT_INDEX.protocol] = { entries: [OVERFLOW_NAME], codes };
  }
  return { ...columns, texts };
}
