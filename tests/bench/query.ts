import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { decodeBatch } from '../../collector/ingest/decode/decode-batch.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { DistributionAnswer, Store } from '../../collector/storage/store.ts';
import { NULL, NUMBER_INDEX, TEXT_INDEX } from '../../shared/sample/sample-columns.ts';
import { quantileRank } from '../../shared/statistics/quantile-rank.ts';
import { SKETCH_BOUND } from '../../shared/statistics/sketch-buckets.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { Bench } from './bench-result.ts';
import { DAYS, FIRST_MS, generateBatches } from './generate-samples.ts';

const SAMPLES = 10_000_000;
const ROUNDS = 5;
const WARM_UPS = 3;
const GROUP_BATCHES = 100;
const ROLL_UP_SAMPLES = 500_000;
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const END_MS = FIRST_MS + DAYS * DAY_MS;
const QUANTILES = [0.5, 0.75, 0.95, 0.99];
const SHOWN = ['host', 'type', 'excluded'] as const;
const WHOLE = { from: FIRST_MS, to: END_MS };
/** All days and never the whole month: day packs have to answer. */
const ALL_BUT_A_DAY = { from: FIRST_MS, to: END_MS - DAY_MS };
const RAGGED = { from: FIRST_MS + 12 * HOUR_MS + 123_456, to: END_MS - 12 * HOUR_MS - 654_321 };

interface Figures {
  /** One time, host × type: median, mean, p75, p95, p99. Milliseconds, medians of the rounds. */
  readonly dayMs: number;
  readonly monthMs: number;
  readonly raggedMs: number;
  readonly exactMs: number;
  readonly sqliteCoveringMs: number;
  readonly dayToSqlite: number;
  /** Largest relative error of a sketched quantile against the exact one. */
  readonly maxQuantileError: number;
  /** Quantiles of the exact answer that SQLite's percentile_disc sees otherwise. */
  readonly exactMismatches: number;
  readonly bytesPerSample: Readonly<Record<string, number>>;
}

export const queryBench: Bench = {
  name: 'query',
  async run(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'lastbyte-bench-'));
    const store = await openStore({ folder, as: 'command', clock: () => END_MS + DAY_MS });
    const rows = openRows(join(folder, 'rows.sqlite'));
    try {
      await fill(store, rows, progress);
      const figures = await measure(store, rows, progress);
      return { figures, misses: missesOf(figures) };
    } finally {
      rows.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What SQLite by itself can do: only the columns of this one question, and an index that covers it. */
function openRows(file: string): Database.Database {
  const rows = new Database(file);
  rows.pragma('journal_mode = OFF');
  rows.pragma('synchronous = OFF');
  rows.exec('CREATE TABLE sample (host TEXT, type TEXT, at INTEGER, ttlb INTEGER)');
  return rows;
}

async function fill(store: Store, rows: Database.Database, progress: (line: string) => void): Promise<void> {
  const insert = rows.prepare('INSERT INTO sample VALUES (?, ?, ?, ?)');
  let group: Parameters<Store['samples']['append']>[0][number][] = [];
  let done = 0;
  rows.exec('BEGIN');
  for (const wire of generateBatches(SAMPLES)) {
    const batch = decodeBatch(wire, wire.sentAt);
    if (!batch.ok || batch.rejected.length > 0) throw new Error('A generated batch was refused.');
    const { batchId: id, origin, clockCorrection, columns } = batch;
    group.push({ id, receivedAt: wire.sentAt, clockCorrection, origin, columns });
    const [host, type, excluded] = SHOWN.map((name) => columns.texts[TEXT_INDEX[name]]);
    const ttlbs = columns.numbers[NUMBER_INDEX.ttlb];
    for (let row = 0; row < columns.n; row++) {
      const ttlb = ttlbs?.[row] ?? NULL;
      const usable = ttlb !== NULL && (excluded?.codes[row] ?? NULL) === NULL;
      if (usable)
        insert.run(host?.strings[host.codes[row] ?? 0], type?.strings[type.codes[row] ?? 0], columns.at[row], ttlb);
    }
    done += columns.n;
    if (group.length < GROUP_BATCHES && done < SAMPLES) continue;
    await store.samples.append(group);
    group = [];
    if (done % ROLL_UP_SAMPLES === 0) await store.maintenance.rollUp();
    if (done % (SAMPLES / 10) === 0) progress(`${done / 1e6} million samples stored`);
  }
  rows.exec('COMMIT');
  rows.exec('CREATE INDEX covering ON sample (host, type, at, ttlb)');
  progress('finalizing the days and the month');
  await store.maintenance.finalize(END_MS + DAY_MS);
}

async function measure(store: Store, rows: Database.Database, progress: (line: string) => void): Promise<Figures> {
  const ask = (range: TimeRange, exact = false) =>
    store.samples.distributions({ range, filters: {}, by: ['host', 'type'], time: 'ttlb' }, { exact });
  const bySqlite = rows.prepare<[number, number], SqliteRow>(
    `SELECT host, type, avg(ttlb) AS mean, ${QUANTILES.map((q, i) => `percentile_disc(ttlb, ${q}) AS q${i}`).join(', ')}
     FROM sample WHERE at >= ? AND at < ? GROUP BY host, type`,
  );
  const questions = {
    month: async () => draw(await ask(WHOLE)),
    day: async () => draw(await ask(ALL_BUT_A_DAY)),
    ragged: async () => draw(await ask(RAGGED)),
    exact: async () => draw(await ask(WHOLE, true)),
    sqlite: async () => bySqlite.all(WHOLE.from, WHOLE.to).length,
  };
  const times = Object.fromEntries(Object.keys(questions).map((name) => [name, [] as number[]]));
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const [name, question] of Object.entries(questions)) {
      if (round < 0 && name === 'sqlite' && round > -WARM_UPS) continue;
      const started = performance.now();
      await question();
      if (round >= 0) times[name]?.push(performance.now() - started);
    }
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${ROUNDS}`);
  }
  const middle = (name: string) => median(times[name] ?? []);
  const sizes = await store.maintenance.sizes();
  const exact = byKey(await ask(WHOLE, true));
  return {
    dayMs: middle('day'),
    monthMs: middle('month'),
    raggedMs: middle('ragged'),
    exactMs: middle('exact'),
    sqliteCoveringMs: middle('sqlite'),
    dayToSqlite: middle('sqlite') / middle('day'),
    maxQuantileError: largestError(byKey(await ask(WHOLE)), exact),
    exactMismatches: mismatches(exact, bySqlite.all(WHOLE.from, WHOLE.to)),
    bytesPerSample: Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, bytes / SAMPLES])),
  };
}

interface SqliteRow {
  readonly host: string;
  readonly type: string;
  readonly mean: number;
  readonly q0: number;
  readonly q1: number;
  readonly q2: number;
  readonly q3: number;
}

/** Everything a reader asked for is computed, so that nothing is left to laziness. */
function draw(answer: DistributionAnswer): number {
  let sum = 0;
  for (const { values } of answer.cells) {
    sum += values.sum / values.n;
    for (const q of QUANTILES) sum += values.valueAtRank(quantileRank(q, values.n));
  }
  return sum;
}

function byKey(answer: DistributionAnswer): Map<string, number[]> {
  return new Map(
    answer.cells.map(({ key, values }) => [
      `${key.host} ${key.type}`,
      QUANTILES.map((q) => values.valueAtRank(quantileRank(q, values.n))),
    ]),
  );
}

function largestError(sketched: Map<string, number[]>, exact: Map<string, number[]>): number {
  let largest = 0;
  for (const [key, truths] of exact) {
    truths.forEach((truth, i) => {
      largest = Math.max(largest, Math.abs((sketched.get(key)?.[i] ?? Infinity) - truth) / truth);
    });
  }
  return largest;
}

function mismatches(exact: Map<string, number[]>, rows: readonly SqliteRow[]): number {
  let wrong = Math.abs(exact.size - rows.length) * QUANTILES.length;
  for (const { host, type, q0, q1, q2, q3 } of rows) {
    const own = exact.get(`${host} ${type}`);
    wrong += [q0, q1, q2, q3].filter((value, i) => own?.[i] !== value).length;
  }
  return wrong;
}

function missesOf({
  dayMs,
  monthMs,
  raggedMs,
  exactMs,
  dayToSqlite,
  maxQuantileError,
  exactMismatches,
  bytesPerSample,
}: Figures): string[] {
  const misses: string[] = [];
  if (dayMs > 100) misses.push(`${dayMs} ms from day packs, not 100`);
  if (dayToSqlite < 25) misses.push(`${dayToSqlite} × SQLite's own, not 25`);
  if (monthMs > 20) misses.push(`${monthMs} ms from month packs, not 20`);
  if (raggedMs > 120) misses.push(`${raggedMs} ms for a ragged range, not 120`);
  if (exactMs > 400) misses.push(`${exactMs} ms for an exact answer, not 400`);
  if (maxQuantileError > SKETCH_BOUND) misses.push(`an error of ${maxQuantileError}, not ${SKETCH_BOUND}`);
  if (exactMismatches > 0) misses.push(`${exactMismatches} exact quantiles differ from percentile_disc`);
  if ((bytesPerSample.total ?? Infinity) > 60) misses.push(`${bytesPerSample.total} bytes a sample, not 60`);
  return misses;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
