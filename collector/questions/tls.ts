import { Type } from 'typebox';
import { timeStatistics } from '../../shared/statistics/time-statistics.ts';
import { ASKED_DIMENSIONS, type Filters, passesFilters } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  MethodSchema,
  MonthOfBrowsers,
  object,
  orNull,
  TimeStatisticsSchema,
  words,
} from '../analysis/answer-schema.ts';
import { largestMonth } from '../reductions/browser-count.ts';
import type { StoreQuery } from '../storage/passes/collect-cells.ts';
import { collectTextCells, collectTextValues, countSamples, countWithText } from '../storage/passes/collect-texts.ts';
import { toDistribution } from '../storage/passes/collectors.ts';
import type { QueryGroups } from '../storage/passes/query-groups.ts';
import type { RangePass } from '../storage/passes/range-pass.ts';
import type { RangeReader } from '../storage/passes/range-reader.ts';
import { filters, RANGE } from './parameters.ts';
import { describeMethod, foldedCells, question } from './question.ts';
import { divideFilters, foldEach, foldingReadings, leftOut, NOTHING_FOLDED } from './visibility/fold-small-groups.ts';
import { findHidden } from './visibility/hidden-cells.ts';
import { createVisibility, smallGroups, type ViewerRule, type Visibility } from './visibility/visibility.ts';

/** The TLS facts of a connection, from browsers that report them; today only Firefox does. */
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
  /** HTTPS samples that pass the filters. */
  samples: Count,
  /**
   * Samples whose TLS was reported; null, and then without rows, if small groups are folded and the browsers that
   * report it may not be shown separately.
   */
  told: orNull(Count),
  /** By fact, the most frequent value first. */
  rows: Type.Array(
    object({
      fact: words(TLS_FACTS),
      /** The browser's name for it. Values of too few browsers are left out for viewers who may not see them. */
      value: Type.String(),
      samples: Count,
      browsers: Count,
      browsersMonth: MonthOfBrowsers,
      /** Handshakes of usable new connections. */
      tls: orNull(TimeStatisticsSchema),
      /** TLS ÷ TCP within each of them, median; null where no round trip is long enough to divide by. */
      roundTrips: orNull(Type.Number()),
      /** Of all usable requests. */
      ttlb: orNull(TimeStatisticsSchema),
    }),
  ),
});
/** `GET /api/v1/tls`. Times in milliseconds. */
export type TlsDocument = AnswerOf<typeof Answer>;
export type TlsRow = TlsDocument['rows'][number];

export interface TlsPlan extends Pick<StoreQuery, 'range' | 'filters'>, ViewerRule {}

/** TLS by version, cipher, key exchange and issuer, from the samples, because rollups do not hold it. */
export const tls = question({
  name: 'tls',
  address: '/api/v1/tls',
  description: 'TLS versions, ciphers and issuers, as browsers reported them.',
  parameters: { range: RANGE, filters: filters(ASKED_DIMENSIONS) },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: ({ filters }, { range, rule }): TlsPlan => ({ range, filters, ...rule }),
  asked: (plan) => plan,
  async read(source, plan) {
    const { range, filters, minGroupSize } = plan;
    const query = { by: [], filters: { ...filters, scheme: ['https'] } };
    const opened = await source.open(range, 'fine', 1 + 2 * foldingReadings(minGroupSize));
    const visibility = createVisibility(source, plan, range);
    const all = opened.reader();
    const reader = all.filtered(query.filters);
    // Only one engine reports TLS, so these numbers are of one kind of browser: both kinds are shown, or neither.
    const byBrowser = { ...query, by: ['browser'] as const };
    const [folded = NOTHING_FOLDED, foldedBrowsers = NOTHING_FOLDED] = await foldEach(visibility, all, [
      query,
      byBrowser,
    ]);
    // Too few browsers in all: nothing of theirs is shown.
    const whole = reader.groups(query.by, query.filters, folded.folding);
    const groups = reader.groups(byBrowser.by, query.filters, leftOut(foldedBrowsers));
    const pass = reader.pass();
    const samples = countSamples(pass, whole);
    const withTls = countWithText(pass, groups, Object.values(COLUMNS));
    const mayShow = await checkValues(all, query.filters, visibility);
    const facts = TLS_FACTS.map((fact) => rowsOf(pass, fact, groups, visibility, (value) => mayShow(fact, value)));
    await pass.run();
    const rows = facts.flatMap((read) => read());
    const told = withTls() === 0 && foldedBrowsers.folding !== null ? null : withTls();
    return {
      ...(await describeMethod(
        opened,
        foldedCells({ folding: leftOut(foldedBrowsers) }, minGroupSize),
        reader.exact(),
      )),
      samples: samples(),
      told,
      rows,
    };
  },
});

type MayShow = (fact: TlsFact, value: string) => boolean;

/** Each value is a kind of request: what passes the filters is checked together with what they leave out. */
async function checkValues(all: RangeReader, filters: Filters, visibility: Visibility): Promise<MayShow> {
  const { telling, kinds } = divideFilters(filters);
  if (visibility.minGroupSize <= 1 || telling.length === 0) return () => true;
  const groups = all.groups(telling, kinds);
  const pass = all.pass();
  const cells = collectTextCells(pass, groups, Object.values(COLUMNS), visibility.counts);
  await pass.run();
  const passes = (group: number) =>
    telling.every((dimension) => passesFilters(filters, dimension, groups.keys[group]?.[dimension] ?? null));
  return (fact, value) => {
    const own = [...(cells[COLUMNS[fact]].get(value) ?? [])];
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
    const hidden = findHidden(counted, together, visibility.minGroupSize, all.checkpoint);
    const asked = [...own.keys()].filter((index) => passes(own[index]?.[0] ?? 0));
    return together(asked) >= visibility.minGroupSize && !asked.some((index) => hidden[index]);
  };
}

/** Call the result once the pass has run. Values of too few browsers are left out. */
function rowsOf(
  pass: RangePass,
  fact: TlsFact,
  groups: QueryGroups,
  visibility: Visibility,
  mayShow: (value: string) => boolean,
): () => TlsRow[] {
  const { values, tls, ttlb, trips } = collectTextValues(pass, groups, COLUMNS[fact]);
  /** Values that may be shown: the remaining reported values never come from too few browsers. */
  function shown(): (index: number) => boolean {
    const counted = values.map(({ months }) => [...months.keys()].filter(visibility.counts));
    const sized = values.map(({ value, samples }, index) => ({
      browsers: counted[index]?.length ?? 0,
      samples,
      hidden: !mayShow(value),
    }));
    const together = (indexes: readonly number[]) => new Set(indexes.flatMap((index) => counted[index] ?? [])).size;
    const small = new Set(visibility.minGroupSize > 1 ? smallGroups(sized, visibility.minGroupSize, together) : []);
    return (index) => !small.has(index);
  }

  return () => {
    const isShown = shown();
    return values
      .map(({ value, samples, months }, index) => {
        const counted = largestMonth(months.values());
        const statistics = (take: typeof tls) => timeStatistics(toDistribution(take(index)), null, counted.browsers);
        const roundTrips = statistics(trips)?.median ?? null;
        return { fact, value, samples, ...counted, tls: statistics(tls), roundTrips, ttlb: statistics(ttlb) };
      })
      .filter(({ samples }, index) => samples > 0 && isShown(index))
      .sort((a, b) => b.samples - a.samples || (a.value < b.value ? -1 : 1));
  };
}
