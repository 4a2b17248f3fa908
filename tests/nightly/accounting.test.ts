import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aggregateSamples } from '../../collector/analysis/summary/aggregate-samples.ts';
import { summarizeCell } from '../../collector/analysis/summary/summarize-cell.ts';
import type { SummaryCell } from '../../collector/analysis/summary/summary-document.ts';
import { decodeBatch, toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { SEES_EVERYTHING } from '../../collector/questions/viewer-rule.ts';
import { gatherReport } from '../../collector/reports/gather-report.ts';
import { parseReport } from '../../collector/reports/parse-report.ts';
import { renderText } from '../../collector/reports/render/render-text.ts';
import { writeReport } from '../../collector/reports/write/write-report.ts';
import type { AcceptedBatch } from '../../collector/storage/ingestion.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import type { Store } from '../../collector/storage/store.ts';
import { toEvidenceClass } from '../../shared/sample/evidence.ts';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { AnyDimension } from '../../shared/vocabulary/dimensions.ts';
import { generateBatches } from '../bench/generate-samples.ts';
import { pruneAll } from '../collector/prune-all.ts';
import { temporaryFolder } from '../collector/temporary-folder.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';

/** Samples are made, stored and counted twice: on a busy machine that takes a while. */
const LONG = { timeout: 240_000 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Friday; on Sunday, the 29th, clocks in Berlin are put forward at 01:00 UTC. */
const START = Date.UTC(2026, 2, 27);
const END = START + 5 * DAY;
/** As a busy server stores batches. */
const APPENDED_TOGETHER = 20;
const BY: Readonly<Record<'whole' | 'cells' | 'scenarios' | 'hosts', readonly AnyDimension[]>> = {
  whole: [],
  cells: ['host', 'type'],
  scenarios: ['scenario'],
  hosts: ['host'],
};

/** Five days of samples of 600 browsers, evenly: there are some in every minute that may or may not count. */
async function filled(count: number): Promise<{ store: Store; samples: StoredSample[] }> {
  const store = await openStore({ folder: await temporaryFolder(), as: 'command', clock: () => END + 40 * DAY });
  const samples: StoredSample[] = [];
  const batches: AcceptedBatch[] = [];
  const step = Math.floor((5 * DAY - MINUTE) / count);
  for (const wire of generateBatches(count, 5, START, 5 * DAY - MINUTE)) {
    const decoded = decodeBatch({ ...wire, batch: randomUUID() }, wire.sentAt);
    if (!decoded.ok) throw new Error(decoded.message);
    const { batchId: id, origin, clockCorrection, columns } = decoded;
    const spread = batchSamples(columns).map((sample, i) => ({ ...sample, at: START + (samples.length + i) * step }));
    const batch = { id, receivedAt: wire.sentAt, clockCorrection, origin, columns: toBatchColumns(spread) };
    batches.push(batch);
    samples.push(...spread.map((sample) => ({ ...sample, origin })));
  }
  for (let first = 0; first < batches.length; first += APPENDED_TOGETHER) {
    await store.samples.append(batches.slice(first, first + APPENDED_TOGETHER));
  }
  return { store, samples };
}

interface Case {
  readonly zone: string;
  /** As a person would say them. */
  readonly hours: string | null;
  readonly opens: string;
  readonly closes: string;
  readonly days: readonly string[];
  readonly outliers: string;
  readonly from: number;
  readonly to: number;
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const ALWAYS = { zone: 'UTC', hours: null, opens: '', closes: '', days: WEEK };
const BERLIN = {
  zone: 'Europe/Berlin',
  hours: 'Fri-Mon 01:00-24:00',
  opens: '01:00',
  closes: '24:00',
  days: ['Fri', 'Sat', 'Sun', 'Mon'],
};
const KOLKATA = { zone: 'Asia/Kolkata', hours: 'Mon-Sun 05:00-23:30', opens: '05:00', closes: '23:30', days: WEEK };
const ALL = { from: START, to: END };
const RAGGED = { from: START + 8 * HOUR + 12 * MINUTE + 345, to: END - 9 * HOUR - 17 * MINUTE - 678 };
const FEW: readonly Case[] = [
  { ...BERLIN, ...ALL, outliers: 'none' },
  { ...BERLIN, ...RAGGED, outliers: 'tukey' },
  { ...KOLKATA, ...ALL, outliers: 'none' },
  { ...KOLKATA, ...RAGGED, outliers: 'cap:300' },
  { ...ALWAYS, ...ALL, outliers: 'tukey' },
  { ...ALWAYS, ...RAGGED, outliers: 'cap:120' },
];

const MANY: readonly Case[] = [
  { ...BERLIN, ...ALL, outliers: 'none' },
  { ...KOLKATA, ...ALL, outliers: 'none' },
  { ...BERLIN, ...RAGGED, outliers: 'none' },
  { ...ALWAYS, ...ALL, outliers: 'tukey' },
];

/** Asked of a clock on the wall for each sample by itself, and with fences from sorted lists. */
function bruteForce(samples: readonly StoredSample[], { zone, hours, opens, closes, days, outliers, from, to }: Case) {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  /** By minute: many samples share one. */
  const known = new Map<number, boolean>();
  const open = (at: number) => {
    if (hours === null) return true;
    const minute = Math.floor(at / MINUTE);
    const before = known.get(minute);
    if (before !== undefined) return before;
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
    const time = `${parts.hour}:${parts.minute}`;
    const isOpen = days.includes(parts.weekday ?? '') && time >= opens && time < closes;
    known.set(minute, isOpen);
    return isOpen;
  };
  const inside = samples.filter((s) => s.at >= from && s.at < to && s.source === 'page' && open(s.at));
  const usable = inside.filter((s) => s.times.ttlb !== null && toEvidenceClass(s) === 'usable');
  const groups = new Map<string, number[]>();
  for (const { host, type, times } of usable) {
    const name = `${host} ${type}`;
    const values = groups.get(name);
    if (values === undefined) groups.set(name, [times.ttlb ?? 0]);
    else values.push(times.ttlb ?? 0);
  }
  const fences = new Map(
    [...groups].map(([name, values]) => {
      const sorted = [...values].sort((a, b) => a - b);
      const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
      return [name, at(0.75) + 1.5 * (at(0.75) - at(0.25))];
    }),
  );
  const [, cap] = outliers.split(':');
  const longest = ({ host, type }: StoredSample) =>
    outliers === 'none' ? Infinity : cap === undefined ? (fences.get(`${host} ${type}`) ?? 0) : Number(cap) * 1000;
  const left = new Set(usable.filter((s) => (s.times.ttlb ?? 0) > longest(s)));
  return {
    left: left.size,
    samples: inside.map((s): StoredSample => (left.has(s) ? { ...s, excluded: 'rule' } : s)),
  };
}

interface Answered extends Record<'cells' | 'scenarios' | 'hosts', SummaryCell[]> {
  readonly method: { readonly exact: boolean; readonly bound: number };
  readonly accounting: { readonly outliersLeftOut: number | null; readonly answeredFrom: string };
  readonly whole: SummaryCell;
  readonly days: readonly { readonly day: string; readonly median: number | null; readonly mean: number | null }[];
}

async function ask(store: Store, { zone, hours, outliers, from, to }: Case, more: Record<string, string> = {}) {
  const parameters = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    zone,
    outliers,
    ...(hours === null ? {} : { hours }),
    ...more,
  };
  const report = writeReport(
    await gatherReport({ store, version: 'test', viewer: SEES_EVERYTHING }, parseReport(parameters, to), to),
  );
  return { data: report.data as unknown as Answered, text: renderText(report).replace(/\s+/g, ' ') };
}

/** What does not borrow a round trip from other samples: the store knows routes by site, and not by browser. */
function numbersOf(cell: SummaryCell): unknown {
  const { host, type, scenario, samples, browsers, evidence, connections, status, phases, unknown, setup, gap } = cell;
  const of = { host, type, scenario, samples, browsers, evidence, connections, status, phases, unknown, setup, gap };
  return JSON.parse(JSON.stringify(of));
}

test(
  'a few thousand samples: business hours and outliers are exactly what a person with a calendar counts',
  LONG,
  async () => {
    const { store, samples } = await filled(4000);
    for (const one of FEW) {
      const truth = bruteForce(samples, one);
      const { data } = await ask(store, one);
      expect(truth.samples.length).toBeGreaterThan(500);
      expect(data.method).toMatchObject({ exact: true, bound: 0 });
      expect(data.accounting).toMatchObject({ outliersLeftOut: one.outliers === 'none' ? null : truth.left });
      for (const name of ['whole', 'cells', 'scenarios', 'hosts'] as const) {
        const expected = aggregateSamples(truth.samples, BY[name]).map((cell) => summarizeCell(cell));
        const told = name === 'whole' ? [data.whole] : data[name];
        expect(told.map(numbersOf)).toEqual(expected.map(numbersOf));
      }
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: one.zone });
      const usable = truth.samples.filter((s) => toEvidenceClass(s) === 'usable');
      const counted = new Map<string, number[]>();
      for (const { at, times } of usable) {
        counted.set(day.format(at), [...(counted.get(day.format(at)) ?? []), times.ttlb ?? 0]);
      }
      const means = [...counted].map(([name, values]) => [
        name,
        values.reduce((a, b) => a + b, 0) / values.length / 1000,
      ]);
      const told = data.days.flatMap((d) => (d.mean === null ? [] : [[d.day, expect.closeTo(d.mean, 6)]]));
      expect(means.sort()).toEqual(told);
    }
    await store.close();
  },
);

test('more than are read one by one: within the bound of the same, from rollups where that can be', LONG, async () => {
  const { store, samples } = await filled(80_000);
  await store.maintenance.finalize(END + 40 * DAY);
  const froms: string[] = [];
  for (const one of MANY) {
    const truth = bruteForce(samples, one);
    const { data, text } = await ask(store, one);
    froms.push(`${data.accounting.answeredFrom} ${data.method.exact}`);
    const rule = one.outliers === 'none' ? null : truth.left;
    expect([one, data.accounting.outliersLeftOut]).toEqual([one, rule]);
    expect(text).toContain(data.method.exact ? 'Exact: every value was read.' : 'from sketches, each within 0.79 %');
    for (const name of ['cells', 'hosts'] as const) {
      const expected = aggregateSamples(truth.samples, BY[name]).map((cell) => summarizeCell(cell));
      expect(data[name].map(countsOf)).toEqual(expected.map(countsOf));
      data[name].forEach(({ phases: { ttlb, tls } }, i) => {
        for (const [given, exact] of [
          [ttlb, expected[i]?.phases.ttlb],
          [tls, expected[i]?.phases.tls],
        ] as const) {
          for (const q of ['p25', 'median', 'p75', 'p95', 'p99'] as const) {
            if (given == null || exact == null) expect(given ?? null).toBe(exact ?? null);
            else expect(Math.abs(given[q] - exact[q])).toBeLessThanOrEqual(data.method.bound * exact[q] + 1e-9);
          }
        }
      });
    }
  }
  expect(froms).toEqual(['rollups false', 'both false', 'both false', 'samples true']);
  await store.close();
});

function countsOf(cell: SummaryCell) {
  const { host, type, samples, browsers, evidence, connections, status, perRequest } = cell;
  const [n, mean] = [cell.phases.ttlb?.n, cell.phases.ttlb?.mean];
  return { host, type, samples, browsers, evidence, connections, status, perRequest, n, mean };
}

test('what is no longer kept so finely is refused by name; what is left of it is told', LONG, async () => {
  const { store } = await filled(3000);
  const now = END + 40 * DAY;
  await store.maintenance.finalize(now);
  const asked = { ...ALL, outliers: 'none' };
  const whole = { ...ALWAYS, ...asked, zone: 'Europe/Berlin' };
  const fresh = await ask(store, whole);
  expect(fresh.data.days[0]?.day).toBe('2026-03-27');

  // Of the last day samples are kept, and hours of all.
  await pruneAll(store, now, { sampleDays: 41, hourDays: 90, dayDays: 700, monthDays: null });
  const kept = new Date(END - DAY).toISOString();
  expect((await ask(store, { ...BERLIN, ...asked })).data.accounting.answeredFrom).toBe('rollups');
  await expect(ask(store, { ...KOLKATA, ...asked })).rejects.toMatchObject({
    code: 'samples_expired',
    message: expect.stringMatching(`business hours that begin or end within an hour .* samples before ${kept}`),
    hint: expect.stringContaining('08:30-18:30 does in Asia/Kolkata'),
  });
  await expect(ask(store, { ...whole, outliers: 'tukey' })).rejects.toMatchObject({
    code: 'samples_expired',
    message: `outlier rules are read sample by sample, and samples before ${kept} are no longer kept`,
    hint: expect.stringContaining('retention.sampleDays'),
  });
  const late = await ask(store, { ...ALWAYS, from: END - DAY, to: END, outliers: 'cap:300' });
  expect(late.data.whole.samples).toBeGreaterThan(100);
  expect(late.text).toContain('The period before is no longer kept at the resolution needed');

  await pruneAll(store, now, { sampleDays: 1, hourDays: 1, dayDays: 700, monthDays: null });
  await expect(ask(store, { ...BERLIN, ...asked })).rejects.toMatchObject({
    code: 'samples_expired',
    message: expect.stringMatching(
      /^business hours are counted from hourly rollups, and hours before .* are no longer kept$/,
    ),
    hint: expect.stringContaining(
      'days and months are kept longer, or choose a range that begins no earlier. retention.hourDays',
    ),
  });
  const coarse = await ask(store, whole);
  expect(coarse.data.whole.samples).toBe(fresh.data.whole.samples);
  expect(coarse.data.days.filter(({ median }) => median !== null)).toHaveLength(5);

  await pruneAll(store, now, { sampleDays: 1, hourDays: 1, dayDays: 1, monthDays: null });
  await expect(ask(store, whole)).rejects.toMatchObject({
    code: 'samples_expired',
    message: 'days before 2026-04-01T00:00:00.000Z are no longer kept',
    hint: expect.stringContaining('whole months (UTC)'),
  });
  await store.close();
});
