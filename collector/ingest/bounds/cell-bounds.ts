import { NULL, TEXT_INDEX, type TextColumn, type TextName } from '../../../shared/sample/sample-columns.ts';
import {
  CONNECTIONS,
  HANDSHAKES,
  type Handshake,
  PROTOCOLS,
  SCHEMES,
  SOURCES,
  STORED_TYPES,
} from '../../../shared/vocabulary/vocabulary.ts';
import { MAX_CELLS, OVERFLOW_NAME } from '../../../shared/vocabulary/wire-limits.ts';
import type { BatchColumns } from '../../storage/columns/batch-columns.ts';
import { filterRows } from '../decode/validate-columns.ts';
import { CalendarMonth } from './calendar-month.ts';
import { type NetworkSender, NetworkShares } from './network-shares.ts';

/** The closed dimensions of a cell, in addition to target, host and site (rollups/cell-dimensions.ts). */
const CLOSED = [
  closed('type', STORED_TYPES),
  closed('connection', CONNECTIONS),
  closed('protocol', [...PROTOCOLS, OVERFLOW_NAME]),
  closed('scheme', SCHEMES),
  closed('handshake', HANDSHAKES),
  closed('source', SOURCES),
];

function closed(name: TextName, words: readonly string[]) {
  return { column: TEXT_INDEX[name], numbers: new Map(words.map((word, index) => [word, index + 1])) };
}
const UNKNOWN_HANDSHAKE: Handshake = 'unknown';

export interface BoundCells {
  /** Rows whose cell is kept; the same object if all are. */
  readonly columns: BatchColumns;
  /** The others, in a coarser cell of the site `(other)`; null if there are none. */
  readonly coarse: BatchColumns | null;
}

export type CellBounds = (columns: BatchColumns, site: string, now: number, sender: NetworkSender) => BoundCells;

/** Known combinations of closed dimensions at a target's host and site. */
type KnownCells = Set<number>;
const NONE: KnownCells = new Set();

/**
 * Though dimensions are closed and names bounded, rollups cost memory for each of their combinations, and a leaked key can
 * send them all. So a key may introduce a limited number of cells each calendar month (UTC), and no network more than is left
 * for the others. Rows beyond that keep their type, connection, scheme and source, which have less than two thousand
 * combinations. In memory only: after a restart the first row of each cell counts again.
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
    if (target === undefined || host === undefined) return { columns, coarse: null };
    const targets = known.get(site);
    const combinations = combinationsOf(columns);
    const hosts = host.strings.length;
    const cellsOfPair: (KnownCells | undefined)[] = [];
    let beyond: Set<number> | null = null;
    for (let row = 0; row < n; row++) {
      const t = target.codes[row] as number;
      const h = host.codes[row] as number;
      const pair = t * hosts + h;
      let cells = cellsOfPair[pair];
      if (cells === undefined) {
        cells = targets?.get(target.strings[t] as string)?.get(host.strings[h] as string) ?? NONE;
        cellsOfPair[pair] = cells;
      }
      const combination = combinations[row] as number;
      if (cells.has(combination)) continue;
      if (shares.take(sender)) {
        cells = cellsAt(site, target.strings[t] as string, host.strings[h] as string);
        cells.add(combination);
        cellsOfPair[pair] = cells;
      } else {
        beyond ??= new Set();
        beyond.add(row);
      }
    }
    if (beyond === null) return { columns, coarse: null };
    const rows = beyond;
    return {
      columns: filterRows(columns, (row) => !rows.has(row)),
      coarse: coarsened(filterRows(columns, (row) => rows.has(row))),
    };
  };
}

/** By the index of a dictionary string plus one, its number within a combination; reused for every column. */
let shares = new Int32Array(0);
/** Reused for every batch. */
let combinations = new Int32Array(0);

/** Per row one number for its closed dimensions. Valid until the next batch. */
function combinationsOf({ n, texts }: BatchColumns): Int32Array {
  if (combinations.length < n) combinations = new Int32Array(n);
  combinations.fill(0, 0, n);
  let radix = 1;
  for (const { column, numbers } of CLOSED) {
    const text = texts[column];
    if (text !== undefined) addNumbers(text, numbers, radix);
    radix *= numbers.size + 1;
  }
  return combinations;
}

function addNumbers({ strings, codes }: TextColumn, numbers: ReadonlyMap<string, number>, radix: number): void {
  if (shares.length <= strings.length) shares = new Int32Array(2 * strings.length + 1);
  shares[0] = 0;
  for (let entry = 0; entry < strings.length; entry++) {
    shares[entry + 1] = radix * (numbers.get(strings[entry] as string) ?? 0);
  }
  for (let row = 0; row < codes.length; row++) {
    combinations[row] = (combinations[row] as number) + (shares[(codes[row] as number) + 1] as number);
  }
}

/** Unknown protocols stay unknown; only known ones are folded. */
function coarsened(columns: BatchColumns): BatchColumns {
  const texts = [...columns.texts];
  const all = (text: string): TextColumn => ({ strings: [text], codes: new Int32Array(columns.n) });
  for (const name of ['target', 'host', 'template'] as const) texts[TEXT_INDEX[name]] = all(OVERFLOW_NAME);
  texts[TEXT_INDEX.handshake] = all(UNKNOWN_HANDSHAKE);
  texts[TEXT_INDEX.handshakeEvidence] = undefined;
  const protocol = columns.texts[TEXT_INDEX.protocol];
  if (protocol !== undefined) {
    const codes = protocol.codes.map((code) => (code === NULL ? NULL : 0));
    texts[TEXT_INDEX.protocol] = { strings: [OVERFLOW_NAME], codes };
  }
  return { ...columns, texts };
}
