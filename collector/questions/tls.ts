import { Type } from 'typebox';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import type { Filters } from '../../shared/vocabulary/dimensions.ts';
import { toDistribution } from '../storage/passes/cell-aggregate-of.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { dimensionColumn } from '../storage/passes/dimension-column.ts';
import { createQueryGroups, type QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import { createRangeReader, type RangeReader } from '../storage/passes/range-reader.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import { type AnswerOf, Count, MethodSchema, object, orNull, TimeStatisticsSchema, words } from './answer-schema.ts';
import { ALL_DIMENSIONS, filters, RANGE } from './parameters.ts';
import { foldedCells, methodOf, question } from './question.ts';
import { divideFilters, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import { hiddenOf } from './visibility/hidden-cells.ts';
import { createVisibility, smallGroups, type ViewerRule, type Visibility } from './visibility/visibility.ts';

/** What can be known of a connection's TLS; each from the browsers that report it, which today is Firefox. */
const COLUMNS = {
  version: 'tlsVersion',
  cipher: 'tlsCipher',
  keyExchange: 'tlsKeyExchange',
  issuer: 'tlsIssuer',
} as const;
type TlsFact = keyof typeof COLUMNS;
const TLS_FACTS = Object.keys(COLUMNS) as TlsFact[];

const Answer = object({
  method: MethodSchema,
  /** Samples over https that the filters leave in. */
  samples: Count,
  /**
   * Those whose TLS was reported; null where small groups are folded and the browsers that report it may not be shown by
   * themselves. There are no rows then.
   */
  told: orNull(Count),
  /** By fact, the most frequent first. */
  rows: Type.Array(
    object({
      fact: words(TLS_FACTS),
      /** As the browser names it. Values of too few browsers are left out for viewers who may not see single ones. */
      value: Type.String(),
      samples: Count,
      browsers: Count,
      /** Handshakes of usable new connections. */
      tls: orNull(TimeStatisticsSchema),
      /** Of all usable requests. */
      ttlb: orNull(TimeStatisticsSchema),
    }),
  ),
});
/** `GET /api/v1/tls`. Times in milliseconds. */
export type TlsDocument = AnswerOf<typeof Answer>;
export type TlsRow = TlsDocument['rows'][number];

export interface TlsPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {}

/** TLS by version, cipher, key exchange and issuer, from the samples: no rollup knows them. */
export const tls = question({
  name: 'tls',
  address: '/api/v1/tls',
  description: 'TLS versions, ciphers and issuers that browsers told.',
  parameters: { range: RANGE, filters: filters(ALL_DIMENSIONS) },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ filters }, { range, rule }): TlsPlan => ({ range, filters, ...rule }),
  asked: (plan) => plan,
  read(source, plan) {
    const { range, filters, minGroupSize } = plan;
    const query = { by: [], filters: { ...filters, scheme: ['https'] } };
    const opened = source.open(range, 'fine', 1 + 2 * foldingReadings(minGroupSize));
    const visibility = createVisibility(source, plan, range);
    const all = createRangeReader(opened, source.catalog, true);
    const reader = all.filtered(query.filters);
    // Only one engine reports TLS, so these numbers describe one browser: both browsers are shown, or neither number is.
    const byBrowser = { ...query, by: ['browser'] as const };
    const [folded = NOTHING_FOLDED, foldedBrowsers = NOTHING_FOLDED] = foldEach(visibility, all, [query, byBrowser]);
    // Too few browsers in all: nothing of theirs is shown.
    const whole = createQueryGroups(query.by, query.filters, source.catalog, folded.folding);
    const groups = createQueryGroups(byBrowser.by, query.filters, source.catalog, leftOut(foldedBrowsers));
    const pass = reader.pass();
    const counted = { samples: 0, told: 0 };
    pass.rows((part) => {
      counted.samples += whole.groupsOfRows(part).reduce((sum, group) => (group < 0 ? sum : sum + 1), 0);
      counted.told += countTold(part, groups);
    });
    const mayBeTold = judgeValues(all, query.filters, visibility);
    const facts = TLS_FACTS.map((fact) => gather(pass, fact, groups, visibility, (value) => mayBeTold(fact, value)));
    pass.run();
    const rows = facts.flatMap((read) => read());
    const { samples } = counted;
    const told = counted.told === 0 && foldedBrowsers.folding !== null ? null : counted.told;
    return {
      ...methodOf(opened, foldedCells({ folding: leftOut(foldedBrowsers) }, minGroupSize), reader.exact()),
      samples,
      told,
      rows,
    };
  },
});

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

/** Each value is a kind of request: what the filters keep is checked together with what they leave out. */
function judgeValues(all: RangeReader, filters: Filters, visibility: Visibility): MayBeTold {
  const { telling, kinds } = divideFilters(filters);
  if (visibility.minGroupSize <= 1 || telling.length === 0) return () => true;
  const groups = createQueryGroups(telling, kinds, visibility.catalog);
  const cells = new Map<string, Map<number, { samples: number; readonly clients: Set<string> }>>();
  const pass = all.pass();
  pass.rows((part) => {
    const inside = groups.groupsOfRows(part);
    const clients = dimensionColumn(part.columns, 'client');
    const counts = clients.strings.map(visibility.counts);
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
    const hidden = hiddenOf(counted, together, visibility.minGroupSize, all.checkpoint);
    const asked = [...own.keys()].filter((index) => passes(own[index]?.[0] ?? 0));
    return together(asked) >= visibility.minGroupSize && !asked.some((index) => hidden[index]);
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

/** Call the result once the pass has run. Values of too few browsers are left out. */
function gather(
  pass: RangePass,
  fact: TlsFact,
  groups: QueryGroups,
  visibility: Visibility,
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

  /** Per row the index of its value, −1 where it was not reported. Values are counted the first time. */
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

  // Most chunks are of browsers that report no TLS: their times are not even decoded.
  const told = (part: RowPart) => part.columns.text(COLUMNS[fact]).entries.length > 0;
  const collect = (measure: 'tls' | 'ttlb') =>
    pass.collectRows((part) => (told(part) ? [part.metrics.values(measure)] : []), placesOf);
  const tls = collect('tls');
  const ttlb = collect('ttlb');
  /** Values that may be shown: the rest of all reported values is never of few browsers. */
  function shown(): (place: number) => boolean {
    const counted = values.map(({ browsers }) => [...browsers].filter(visibility.counts));
    const sized = values.map(({ value, samples }, place) => ({
      browsers: counted[place]?.length ?? 0,
      samples,
      hidden: !mayBeTold(value),
    }));
    const together = (places: readonly number[]) => new Set(places.flatMap((place) => counted[place] ?? [])).size;
    const small = new Set(visibility.minGroupSize > 1 ? smallGroups(sized, visibility.minGroupSize, together) : []);
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
