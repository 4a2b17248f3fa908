import { describe, expect, it } from 'vitest';
import { type SweepOptions, sweepSlowGroup } from '../../../collector/analysis/summary/sweep-slow-group.ts';
import {
  SLOW_DIMENSIONS,
  type SlowDimension,
  type SlowGroupRows,
} from '../../../collector/reductions/slow-group-rows.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { PHASES, type Phase } from '../../../shared/vocabulary/time-names.ts';
import { rounds } from '../../rounds.ts';

type Row = Readonly<Record<SlowDimension, string | null>> & { readonly slow: boolean; readonly hour: number };
type Times = (row: Row) => Partial<Record<Phase, number>>;

const SLOW_MS = 1500;
const USUAL_MS = 100;
const TEMPLATES = ['/', '/list', '/item/{n}', '/v2/search', '/report', '/user'];
/** Seeds of each planted cause. */
const FLEETS = rounds(2, 5);
const SITES = ['Berlin', 'Lyon', 'Oslo', 'Turin'];

/** Forty browsers that use everything alike, some more than others; `slowAt` is the probability that a request is slow. */
function fleet(
  seed: number,
  slowAt: (row: Omit<Row, 'slow'>) => number,
  change: (row: Omit<Row, 'slow'>) => Partial<Row> = () => ({}),
) {
  const random = seededRandom(seed);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const rows: Row[] = [];
  for (let browser = 0; browser < 40; browser++) {
    const requests = 40 + Math.floor(random() * 160);
    const own = {
      client: `client-${browser}`,
      site: SITES[browser % 4] as string,
      browser: browser % 5 === 0 ? 'firefox' : 'chromium',
    };
    for (let i = 0; i < requests; i++) {
      const hour = Math.floor(random() * 24 * 14);
      const made = {
        ...own,
        hour,
        retransmission: 'none',
        template: pick(TEMPLATES),
        host: 'app.example.com',
        type: 'fetch',
        protocol: random() < 0.1 ? null : 'h2',
        connection: random() < 0.1 ? 'new' : 'reused',
        status: '200',
        size: pick(['1', '16', '64', null]),
        hourOfDay: String(hour % 24),
        hourOfWeek: String(hour % 168),
      };
      const row = { ...made, ...change(made) };
      rows.push({ ...row, slow: random() < slowAt(row) });
    }
  }
  return rows;
}

function tableOf(rows: readonly Row[], times: Times = () => ({})): SlowGroupRows {
  const of = (dimension: SlowDimension) => {
    const values = [...new Set(rows.flatMap((row) => row[dimension] ?? []))];
    return { values, codes: Int32Array.from(rows, (row) => values.indexOf(row[dimension] ?? '')) };
  };
  const columns = Object.fromEntries(SLOW_DIMENSIONS.map((name) => [name, of(name)])) as Record<
    SlowDimension,
    ReturnType<typeof of>
  >;
  const each = <T>(value: (name: SlowDimension) => T) =>
    Object.fromEntries(SLOW_DIMENSIONS.map((name) => [name, value(name)])) as Record<SlowDimension, T>;
  const totalOf = ({ slow }: Row) => (slow ? SLOW_MS : USUAL_MS);
  return {
    n: rows.length,
    slow: Uint8Array.from(rows, ({ slow }) => (slow ? 1 : 0)),
    client: columns.client.codes,
    hour: Int32Array.from(rows, ({ hour }) => hour),
    ttlb: Float32Array.from(rows, totalOf),
    phases: Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        Float32Array.from(
          rows,
          (row) => times(row)[phase] ?? (phase === 'wait' || phase === 'receive' ? totalOf(row) / 2 : 0),
        ),
      ]),
    ) as Record<Phase, Float32Array>,
    codes: each((name) => columns[name].codes),
    values: each((name) => columns[name].values),
  };
}

const sweep = (rows: readonly Row[], options?: SweepOptions, times?: Times) =>
  sweepSlowGroup(tableOf(rows, times), options);
const named = (rows: readonly Row[], options?: SweepOptions) =>
  sweep(rows, options).values.map(({ dimension, value }) => `${dimension} ${value}`);

describe('what the slow group has in common', () => {
  it.each<[name: string, (row: Omit<Row, 'slow'>) => number, string[]]>([
    ['a path', ({ template }) => (template === '/v2/search' ? 0.3 : 0.01), ['template /v2/search']],
    ['a site', ({ site }) => (site === 'Lyon' ? 0.2 : 0.01), ['site Lyon']],
    ['a browser', ({ client }) => (client === 'client-7' ? 0.6 : 0.01), ['client client-7']],
    ['a kind of browser', ({ browser }) => (browser === 'firefox' ? 0.3 : 0.01), ['browser firefox']],
    ['an hour of the day', ({ hourOfDay }) => (hourOfDay === '10' ? 0.5 : 0.01), ['hourOfDay 10']],
    ['an hour of the week', ({ hourOfWeek }) => (hourOfWeek === '34' ? 0.9 : 0.002), ['hourOfWeek 34']],
    ['new connections', ({ connection }) => (connection === 'new' ? 0.3 : 0.01), ['connection new']],
    ['large bodies', ({ size }) => (size === '64' ? 0.2 : 0.01), ['size 64']],
    ['a protocol that is not reported', ({ protocol }) => (protocol === null ? 0.3 : 0.01), ['protocol null']],
    [
      'two causes at once',
      ({ template, site }) => (template === '/report' ? 0.2 : site === 'Oslo' ? 0.2 : 0.005),
      ['site Oslo', 'template /report'],
    ],
  ])('is %s', (_, slowAt, expected) => {
    for (let seed = 1; seed <= FLEETS; seed++) expect(named(fleet(seed, slowAt)).sort()).toEqual(expected);
  });

  it('is named with its shares and the interval of their difference', () => {
    let held = 0;
    const fleets = rounds(10, 40);
    for (let seed = 1; seed <= fleets; seed++) {
      const { values, slow, others } = sweep(fleet(seed, ({ template }) => (template === '/v2/search' ? 0.24 : 0.02)));
      const [one] = values;
      expect(one).toMatchObject({ dimension: 'template', value: '/v2/search' });
      expect(slow + others).toBeGreaterThan(3000);
      // A sixth of the requests, slow with 24 %, against five sixths with 2 %.
      const inside = 0.24 / (0.24 + 5 * 0.02);
      const outside = 0.76 / (0.76 + 5 * 0.98);
      expect(one?.inside).toBeCloseTo(inside, 0);
      const [low, high] = one?.interval ?? [0, 0];
      if (low <= inside - outside && inside - outside <= high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(0.9 * fleets);
  });

  it('does not name what another thing explains', () => {
    // Only Berlin uses the search much, and only the search is slow.
    const searched = (row: Omit<Row, 'slow'>) =>
      row.site === 'Berlin' && row.hour % 2 === 0
        ? { template: '/v2/search' }
        : row.template === '/v2/search'
          ? { template: '/' }
          : {};
    const rare = (row: Omit<Row, 'slow'>) => (row.hour % 24 === 3 ? { template: '/v2/search' } : searched(row));
    for (let seed = 1; seed <= FLEETS; seed++) {
      expect(named(fleet(seed, ({ template }) => (template === '/v2/search' ? 0.3 : 0.005), rare))).toEqual([
        'template /v2/search',
      ]);
    }
    // The search is used at Berlin, where everything is slow.
    for (let seed = 1; seed <= FLEETS; seed++) {
      expect(named(fleet(seed, ({ site }) => (site === 'Berlin' ? 0.3 : 0.005), rare))).toEqual(['site Berlin']);
    }
  });

  it('names what says better where to look if two say the same', () => {
    const same = ({ template }: Omit<Row, 'slow'>) =>
      template === '/report' ? { host: 'files.example.com', size: '4096', type: 'other' } : {};
    expect(named(fleet(1, ({ template }) => (template === '/report' ? 0.3 : 0.005), same))).toEqual([
      'template /report',
    ]);
    const lost = ({ connection, hour }: Omit<Row, 'slow'>) =>
      connection === 'new' && hour % 3 === 0 ? { retransmission: 'tcp_1s' } : {};
    expect(named(fleet(1, ({ retransmission }) => (retransmission === 'tcp_1s' ? 1 : 0.001), lost))).toEqual([
      'retransmission tcp_1s',
    ]);
    // Nearly all large bodies are the report's.
    const large = ({ template, hour }: Omit<Row, 'slow'>) =>
      template === '/report' || (template === '/user' && hour % 60 === 0) ? { size: '4096' } : {};
    for (let seed = 1; seed <= FLEETS; seed++) {
      expect(named(fleet(seed, ({ size }) => (size === '4096' ? 0.3 : 0.005), large))).toEqual(['template /report']);
    }
  });

  it('is nothing where requests are slow by chance, at least 95 times in 100', () => {
    const fleets = rounds(6, 60);
    const quiet = Array.from({ length: fleets }, (_, seed) => sweep(fleet(seed + 1, () => 0.02)));
    expect(quiet.filter(({ reason }) => reason === 'nothing_stands_out').length).toBeGreaterThanOrEqual(0.95 * fleets);
    // Browsers differ in how often they are slow, as they do.
    const uneven = Array.from({ length: fleets }, (_, seed) =>
      sweep(fleet(seed + 1, ({ client }) => ((Number((client ?? '').slice(7)) * 7) % 10) * 0.006)),
    );
    expect(uneven.filter(({ reason }) => reason === 'nothing_stands_out').length).toBeGreaterThanOrEqual(0.95 * fleets);
  });

  it('is not known of few requests, and empty if none is slow', () => {
    const rows = fleet(1, () => 0);
    expect(sweep(rows)).toMatchObject({ slow: 0, others: rows.length, reason: 'none', values: [], phase: null });
    expect(sweep(rows.map((row, i) => ({ ...row, slow: i < 19 })))).toMatchObject({ slow: 19, reason: 'few_slow' });
  });
});

describe('the phase that slow requests spend their time in', () => {
  const waiting: Times = ({ slow }) =>
    slow ? { wait: 0.92 * SLOW_MS, receive: 0.08 * SLOW_MS } : { wait: 40, receive: 60 };

  it('is named if it is most of their time, and more than of the others', () => {
    const { phase, reason } = sweep(
      fleet(1, () => 0.03),
      {},
      waiting,
    );
    expect(reason).toBeNull();
    expect(phase).toMatchObject({ phase: 'wait', inside: expect.closeTo(0.92, 5), outside: expect.closeTo(0.4, 5) });
    expect(phase?.interval[0]).toBeLessThanOrEqual(0.52);
    expect(phase?.interval[1]).toBeGreaterThanOrEqual(0.52 - 1e-9);
  });

  it('is none if it is as much of the others', () => {
    expect(
      sweep(
        fleet(1, () => 0.03),
        {},
        ({ slow }) => ({ wait: slow ? 1400 : 93, receive: slow ? 100 : 7 }),
      ).phase,
    ).toBeNull();
    expect(sweep(fleet(1, () => 0.03)).phase).toBeNull();
  });

  it('counts unknown times as none of the phases', () => {
    const { phase } = sweep(
      fleet(1, () => 0.03),
      {},
      ({ slow }) => (slow ? { wait: Number.NaN, receive: 700 } : {}),
    );
    expect(phase).toBeNull();
  });
});

describe('what is not reported, and what may not be shown', () => {
  it('is counted by dimension, inside and outside', () => {
    const { notReported } = sweep(fleet(1, () => 0.03));
    expect(Object.keys(notReported ?? {}).sort()).toEqual(['protocol', 'size']);
    expect(notReported?.size?.outside).toBeCloseTo(0.25, 1);
    expect(notReported?.protocol?.inside).toBeCloseTo(0.1, 0);
  });

  it('names nothing of too few browsers, and says so', () => {
    // Three of the ten browsers at Lyon.
    const few = ({ client }: Omit<Row, 'slow'>) =>
      ['client-1', 'client-5', 'client-9'].includes(client ?? '') ? { template: '/odd' } : {};
    const rows = fleet(1, ({ template }) => (template === '/odd' ? 0.5 : 0.01), few);
    expect(named(rows)).toEqual(['template /odd']);
    const shown = sweep(rows, { minBrowsers: 5, mayName: (dimension) => dimension !== 'client' });
    expect(shown).toMatchObject({ values: [], reason: 'few_browsers', notReported: null });
    expect(named(rows, { minBrowsers: 2 })).toEqual(['template /odd']);
    // All but a few browsers: the rest could be told by subtraction.
    const most = fleet(1, ({ client, hourOfDay }) => (hourOfDay === '9' ? 0.5 : client === 'client-1' ? 0.1 : 0));
    expect(named(most)).toEqual(expect.arrayContaining(['hourOfDay 9']));
    expect(named(most, { minBrowsers: 5 })).not.toContain('hourOfDay 9');
    // Browsers that anyone could have invented do not count.
    expect(named(rows, { minBrowsers: 2, counts: (client) => client !== 'client-1' && client !== 'client-5' })).toEqual(
      [],
    );
  });
});
