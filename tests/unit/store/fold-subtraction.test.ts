import { expect, test } from 'vitest';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import { foldSmallGroups } from '../../../collector/questions/visibility/fold-small-groups.ts';
import { decodeChunk } from '../../../collector/storage/columns/decode-chunk.ts';
import { encodeHotChunk } from '../../../collector/storage/columns/hot-chunk.ts';
import { createCountedBrowsers } from '../../../collector/storage/passes/browser-sets.ts';
import { groupId } from '../../../collector/storage/passes/cell-groups.ts';
import { createRangeReader, type GroupedBy } from '../../../collector/storage/passes/range-reader.ts';
import { createCellCatalog } from '../../../collector/storage/rollups/cell-catalog.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { filteredDimensions, splitFilterName, toExclusionName } from '../../../shared/vocabulary/dimensions.ts';
import type { ResourceType } from '../../../shared/vocabulary/vocabulary.ts';
import { browserId } from '../../collector/fill-store.ts';
import { rounds } from '../../rounds.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const BELOW = 5;
const FLEETS = rounds(7, 20);
const QUESTIONS = 120;
const PERSONAL = ['site', 'browser', 'host'] as const;
type Personal = (typeof PERSONAL)[number];
const VALUES = {
  site: ['Berlin', 'Lyon', 'Porto', 'Rome'],
  browser: ['chromium', 'firefox'],
  host: ['a.example.com', 'b.example.com', 'c.example.com'],
} as const;
const TYPES: readonly ResourceType[] = ['fetch', 'script'];

interface Row extends Record<Personal, string> {
  readonly client: string;
  readonly type: ResourceType;
}

type Random = () => number;
/** The first most often, so that the others are rare in some fleets. */
const skewed = <T>(values: readonly T[], random: Random, skew: number): T =>
  values[Math.floor(values.length * random() ** skew)] as T;

function fleetOf(random: Random): Row[] {
  const skew = 1 + 4 * random();
  return Array.from({ length: 20 + Math.floor(20 * random()) }, (_, browser) => {
    const own = {
      client: browserId(browser),
      site: skewed(VALUES.site, random, skew),
      browser: skewed(VALUES.browser, random, skew),
    };
    return Array.from({ length: 1 + Math.floor(4 * random()) }, () => ({
      ...own,
      host: skewed(VALUES.host, random, skew),
      type: skewed(TYPES, random, skew),
    }));
  }).flat();
}

function readerOf(rows: readonly Row[]) {
  const catalog = createCellCatalog();
  const batches = rows.map(({ client, site, browser, host, type }) => ({
    origin: { ...ORIGIN, client, site, browser: browser as 'chromium' | 'firefox' },
    columns: toBatchColumns([{ ...PLAIN_SAMPLE, host, type }]),
  }));
  const columns = decodeChunk(encodeHotChunk(batches).bytes);
  const source = {
    blocks: () => [],
    clientBlocks: () => [],
    rows: () => [{ columns, ranges: null, t0: 0, stored: columns.n, lasting: true }],
  };
  return { catalog, reader: createRangeReader(source, catalog, true) };
}

/** Rows of each number of an answer, a bit for each. */
interface Answer {
  readonly query: GroupedBy;
  readonly numbers: readonly bigint[];
}

async function answers(
  rows: readonly Row[],
  queries: readonly GroupedBy[],
  isFresh: (client: string) => boolean,
): Promise<Answer[]> {
  const { catalog, reader } = readerOf(rows);
  const counts = (client: string) => !isFresh(client);
  const viewer = {
    minGroupSize: BELOW,
    counts,
    counted: createCountedBrowsers(catalog, BELOW, counts),
  };
  const found: Answer[] = [];
  for (const query of queries) {
    const { folding } = await foldSmallGroups(viewer, reader, query);
    const groups = new Map<string, bigint>();
    rows.forEach((row, place) => {
      const passes = Object.entries(query.filters).every(([name, values]) => {
        const { dimension, excludes } = splitFilterName(name);
        return (values ?? []).includes(row[dimension as Personal]) !== excludes;
      });
      if (!passes) return;
      const own = groupId(query.by.map((name) => row[name as Personal]));
      const id = folding?.ids.has(own) ? 'few' : own;
      if (id === 'few' && folding?.hidden) return;
      groups.set(id, (groups.get(id) ?? 0n) | (1n << BigInt(place)));
    });
    found.push({ query, numbers: [...groups.values()] });
  }
  return found;
}

function randomQuery(random: Random): GroupedBy {
  const by = PERSONAL.filter(() => random() < 0.4);
  const filters = PERSONAL.filter(() => random() < 0.4).map((name) => {
    const values = VALUES[name].filter(() => random() < 0.5);
    return [random() < 0.3 ? toExclusionName(name) : name, values.length === 0 ? [VALUES[name][0]] : values] as const;
  });
  return { by, filters: Object.fromEntries(filters) };
}

/** Every number less all numbers of the other answer that lie within it: less fewer of them, it would hold one of them. */
function differences(one: Answer, other: Answer): bigint[] {
  return one.numbers.flatMap((number) => {
    const within = other.numbers.filter((part) => (part & ~number) === 0n);
    return within.length === 0 ? [] : [number & ~within.reduce((sum, part) => sum | part, 0n)];
  });
}

function browsersIn(rows: readonly Row[], bits: bigint, isFresh: (client: string) => boolean): number {
  const clients = rows.filter(({ client }, place) => (bits & (1n << BigInt(place))) !== 0n && !isFresh(client));
  return new Set(clients.map(({ client }) => client)).size;
}

/** Whether one names all dimensions that the other names. */
function isNested(one: Answer, other: Answer): boolean {
  const [names, others] = [one, other].map(({ query }) => new Set([...query.by, ...filteredDimensions(query.filters)]));
  const all = new Set([...(names ?? []), ...(others ?? [])]).size;
  return all === names?.size || all === others?.size;
}

test('no two answers about one range differ by a few browsers', async () => {
  const count = { compared: 0, shown: 0, coincident: 0 };
  for (let fleet = 0; fleet < FLEETS; fleet++) {
    const random = seededRandom(1000 + fleet);
    const rows = fleetOf(random);
    const isFresh = (client: string) => fleet % 2 === 1 && client < browserId(2);
    const queries = Array.from({ length: QUESTIONS }, () => randomQuery(random));
    const asked = await answers(rows, queries, isFresh);
    for (const one of asked) {
      count.shown += one.numbers.length;
      for (const number of one.numbers) expect(browsersIn(rows, number, isFresh)).toBeGreaterThanOrEqual(BELOW);
      for (const other of asked) {
        for (const difference of differences(one, other)) {
          count.compared++;
          const browsers = browsersIn(rows, difference, isFresh);
          if (browsers === 0 || browsers >= BELOW) continue;
          expect([fleet, one.query, other.query, isNested(one, other)]).toContain(false);
          count.coincident++;
        }
      }
    }
  }
  expect(count.compared).toBeGreaterThan(10_000);
  // Not because nothing is shown.
  expect(count.shown / (FLEETS * QUESTIONS)).toBeGreaterThan(0.5);
  // Groups by different dimensions that happen to be nearly the same are not compared: privacy.md says so.
  expect(count.coincident / count.compared).toBeLessThan(0.001);
});
