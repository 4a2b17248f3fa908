import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { Filters } from '../../shared/vocabulary/dimensions.ts';
import { TLS_FACTS, type TlsFact, type TlsRow } from '../analysis/documents/tls-answer.ts';
import { toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { dimensionColumn } from '../storage/passes/dimension-column.ts';
import { createQueryGroups, type QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import { createRangeReader, type RangeReader } from '../storage/passes/range-reader.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { type ComputeMethod, foldedCells, methodOf } from './compute-method.ts';
import { divideFilters, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './viewer/fold-small-groups.ts';
import { judgeCells } from './viewer/judge-cells.ts';
import { type FoldRule, smallGroups } from './viewer/small-groups.ts';
import { createViewer, type Viewer } from './viewer/viewer.ts';

const COLUMNS = {
  version: 'tlsVersion',
  cipher: 'tlsCipher',
  keyExchange: 'tlsKeyExchange',
  issuer: 'tlsIssuer',
} as const;

export interface TlsQuestion extends Pick<StoreQuery, 'range' | 'filters'>, FoldRule {}

export interface TlsAnswer extends ComputeMethod {
  readonly samples: number;
  readonly told: number | null;
  readonly rows: readonly TlsRow[];
}

/** TLS by version, cipher, key exchange and issuer, from the samples: no rollup knows them. */
export function computeTls(source: ReadingSource, question: TlsQuestion): TlsAnswer {
  const { range, filters, foldBelow } = question;
  const query = { by: [], filters: { ...filters, scheme: ['https'] } };
  const opened = source.open(range, 'fine', 1 + 2 * foldingReadings(foldBelow));
  const viewer = createViewer(source, question, range);
  const all = createRangeReader(opened, source.catalog, true);
  const reader = all.filtered(query.filters);
  // Only one engine tells them, so what is told of it is told of a browser: both are shown, or nothing of it is.
  const byBrowser = { ...query, by: ['browser'] as const };
  const [folded = NOTHING_FOLDED, foldedBrowsers = NOTHING_FOLDED] = foldEach(viewer, all, [query, byBrowser]);
  // Too few browsers in all: nothing of theirs is shown.
  const whole = createQueryGroups(query.by, query.filters, source.catalog, folded.folding);
  const groups = createQueryGroups(byBrowser.by, query.filters, source.catalog, leftOut(foldedBrowsers));
  const pass = reader.pass();
  const counted = { samples: 0, told: 0 };
  pass.rows((part) => {
    counted.samples += whole.groupsOfRows(part).reduce((sum, group) => (group < 0 ? sum : sum + 1), 0);
    counted.told += countTold(part, groups);
  });
  const mayBeTold = judgeValues(all, query.filters, viewer);
  const facts = TLS_FACTS.map((fact) => gather(pass, fact, groups, viewer, (value) => mayBeTold(fact, value)));
  pass.run();
  const rows = facts.flatMap((read) => read());
  const { samples } = counted;
  const told = counted.told === 0 && foldedBrowsers.folding !== null ? null : counted.told;
  return {
    ...methodOf(opened, foldedCells({ folding: leftOut(foldedBrowsers) }, foldBelow), reader.exact()),
    samples,
    told,
    rows,
  };
}

function countTold(part: RowPart, groups: QueryGroups): number {
  const inside = groups.groupsOfRows(part);
  const columns = Object.values(COLUMNS)
    .map((name) => part.columns.text(name))
    .flatMap(({ entries, codes }) => (entries.length > 0 ? [codes] : []));
  return inside.reduce(
    (sum, group, row) => (group >= 0 && columns.some((codes) => (codes[row] as number) >= 0) ? sum + 1 : sum),
    0,
  );
}

type MayBeTold = (fact: TlsFact, value: string) => boolean;

/** Each value is a kind of requests: what the filters have of it is judged beside what they leave out of it. */
function judgeValues(all: RangeReader, filters: Filters, viewer: Viewer): MayBeTold {
  const { telling, kinds } = divideFilters(filters);
  if (viewer.foldBelow <= 1 || telling.length === 0) return () => true;
  const groups = createQueryGroups(telling, kinds, viewer.catalog);
  const cells = new Map<string, Map<number, { samples: number; readonly clients: Set<string> }>>();
  const pass = all.pass();
  pass.rows((part) => {
    const inside = groups.groupsOfRows(part);
    const clients = dimensionColumn(part.columns, 'client');
    const counts = clients.strings.map(viewer.counts);
    for (const fact of TLS_FACTS) {
      const { entries, codes } = part.columns.text(COLUMNS[fact]);
      const ofEntry = entries.map((value) => {
        const name = valueId(fact, value);
        const known = cells.get(name) ?? new Map<number, { samples: number; clients: Set<string> }>();
        cells.set(name, known);
        return known;
      });
      if (entries.length === 0) continue;
      for (let row = 0; row < inside.length; row++) {
        const group = inside[row] as number;
        const own = ofEntry[codes[row] as number];
        if (group < 0 || own === undefined) continue;
        const cell = own.get(group) ?? { samples: 0, clients: new Set() };
        own.set(group, cell);
        cell.samples++;
        const client = clients.codes[row] as number;
        if (counts[client] === true) cell.clients.add(clients.strings[client] as string);
      }
    }
  });
  pass.run();
  const passes = (group: number) =>
    telling.every((dimension) => filters[dimension]?.includes(groups.keys[group]?.[dimension] ?? '') === true);
  return (fact, value) => {
    const own = [...(cells.get(valueId(fact, value)) ?? [])];
    const together = (indexes: Iterable<number>) => {
      const met = new Set<string>();
      for (const index of indexes) for (const client of own[index]?.[1].clients ?? []) met.add(client);
      return met.size;
    };
    const counted = own.map(([group, { samples, clients }]) => ({
      words: telling.map((dimension) => groups.keys[group]?.[dimension] ?? null),
      samples,
      browsers: clients.size,
    }));
    const hidden = judgeCells(counted, together, viewer.foldBelow, all.checkpoint);
    const asked = [...own.keys()].filter((index) => passes(own[index]?.[0] ?? 0));
    return together(asked) >= viewer.foldBelow && !asked.some((index) => hidden[index]);
  };
}

function valueId(fact: TlsFact, value: string): string {
  return `${fact} ${value}`;
}

interface Value {
  readonly value: string;
  samples: number;
  readonly browsers: Set<string>;
}

/** Reads one fact with the pass; what it returns is asked once that has run. Values of too few browsers are left out. */
function gather(
  pass: RangePass,
  fact: TlsFact,
  groups: QueryGroups,
  viewer: Viewer,
  mayBeTold: (value: string) => boolean,
): () => TlsRow[] {
  const values: Value[] = [];
  const places = new Map<string, number>();
  const known = new WeakMap<RowPart, Int32Array>();

  function placeOf(value: string): number {
    const place = places.get(value) ?? values.push({ value, samples: 0, browsers: new Set() }) - 1;
    places.set(value, place);
    return place;
  }

  /** Per row the place of its value, −1 where it was not told. Every value is counted the first time. */
  function placesOf(part: RowPart): Int32Array {
    const before = known.get(part);
    if (before !== undefined) return before;
    const inside = groups.groupsOfRows(part);
    const { entries, codes } = part.columns.text(COLUMNS[fact]);
    const placeOfEntry = entries.map(placeOf);
    const clients = dimensionColumn(part.columns, 'client');
    const found = new Int32Array(inside.length).fill(-1);
    for (let row = 0; row < inside.length; row++) {
      const code = codes[row] as number;
      if ((inside[row] as number) < 0 || code < 0) continue;
      const place = placeOfEntry[code] as number;
      found[row] = place;
      const value = values[place] as Value;
      value.samples++;
      value.browsers.add(clients.strings[clients.codes[row] as number] ?? '');
    }
    known.set(part, found);
    return found;
  }

  // Most chunks are of browsers that tell nothing: their times are not even decoded.
  const told = (part: RowPart) => part.columns.text(COLUMNS[fact]).entries.length > 0;
  const collect = (measure: 'tls' | 'ttlb') =>
    pass.collectRows((part) => (told(part) ? [part.metrics.values(measure)] : []), placesOf);
  const tls = collect('tls');
  const ttlb = collect('ttlb');
  /** Those that may be shown: what is left of all that were told is never of few browsers. */
  function shown(): (place: number) => boolean {
    const counted = values.map(({ browsers }) => [...browsers].filter(viewer.counts));
    const sized = values.map(({ value, samples }, place) => ({
      browsers: counted[place]?.length ?? 0,
      samples,
      hidden: !mayBeTold(value),
    }));
    const together = (places: readonly number[]) => new Set(places.flatMap((place) => counted[place] ?? [])).size;
    const small = new Set(viewer.foldBelow > 1 ? smallGroups(sized, viewer.foldBelow, together) : []);
    return (place) => !small.has(place);
  }

  return () => {
    const isShown = shown();
    return values
      .map(({ value, samples, browsers }, place) => ({
        fact,
        value,
        samples,
        browsers: browsers.size,
        tls: timeStatistics(toDistribution(tls(place)), null),
        ttlb: timeStatistics(toDistribution(ttlb(place)), null),
      }))
      .filter(({ samples }, place) => samples > 0 && isShown(place))
      .sort((a, b) => b.samples - a.samples || (a.value < b.value ? -1 : 1));
  };
}
