import { scenarioOf } from '../../../shared/classify/scenario.ts';
import type { SampleColumns, TextName } from '../../../shared/sample/sample-columns.ts';
import type { Connection, Scheme } from '../../../shared/sample/vocabulary.ts';
import type { Dimension } from '../../../shared/summary/dimensions.ts';
import { divideGroups, oneGroup, type RowGroups } from './combine-codes.ts';

/** What tells the cells of a rollup apart, in the order it is stored. A scenario follows from scheme and connection. */
export const CELL_DIMENSIONS = [
  'host',
  'type',
  'connection',
  'protocol',
  'scheme',
  'handshake',
  'source',
  'site',
  'target',
] as const satisfies readonly Dimension[];
export type CellDimension = (typeof CELL_DIMENSIONS)[number];

/** One cell's words, null where it has none. */
export type CellWords = Readonly<Record<CellDimension, string | null>>;

/** The cell of every row, and the words of each cell. */
export interface RowCells extends RowGroups {
  readonly words: readonly CellWords[];
}

/** The finest groups a rollup knows: rows that differ in none of its dimensions. */
export function cellsOf(columns: SampleColumns): RowCells {
  let groups = oneGroup(columns.n);
  for (const name of CELL_DIMENSIONS) {
    if (name === 'site') {
      const sites = sitesOf(columns);
      groups = divideGroups(groups, sites.codes, sites.size);
    } else {
      const { entries, codes } = columns.text(name);
      groups = divideGroups(groups, codes, entries.length);
    }
  }
  return { ...groups, words: groups.first.map((row) => wordsAt(columns, row)) };
}

export function wordOf(words: CellWords, dimension: Dimension): string | null {
  if (dimension !== 'scenario') return words[dimension];
  return scenarioOf({ scheme: words.scheme as Scheme, connection: words.connection as Connection });
}

function sitesOf({ origins, origin }: SampleColumns): { codes: Int32Array; size: number } {
  const places = new Map<string, number>();
  const sites = origins.map(({ site }) => {
    const place = places.get(site) ?? places.size;
    places.set(site, place);
    return place;
  });
  return { codes: origin().map((place) => sites[place] as number), size: places.size };
}

function wordsAt(columns: SampleColumns, row: number): CellWords {
  const text = (name: TextName): string | null => {
    const { entries, codes } = columns.text(name);
    return entries[codes[row] as number] ?? null;
  };
  return {
    host: text('host'),
    type: text('type'),
    connection: text('connection'),
    protocol: text('protocol'),
    scheme: text('scheme'),
    handshake: text('handshake'),
    source: text('source'),
    site: columns.origins[columns.origin()[row] as number]?.site || null,
    target: text('target'),
  };
}
