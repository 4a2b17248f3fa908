import { describe, expect, test } from 'vitest';
import {
  type Measure,
  type MeasuredRun,
  type RatioTable,
  ratiosView,
} from '../../../collector/analysis/tables/ratios-view.ts';
import { scenarioRatiosView } from '../../../collector/analysis/tables/scenario-measures.ts';
import { ENGLISH_TABLES } from '../../../collector/analysis/text/english-tables.ts';
import { LARGE_BODY } from '../../../collector/reductions/scenario-rows.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { makeSample } from '../summary/make-sample.ts';
import { expectPrinted, rowOf, tableOf } from './printed.ts';
import { scenarioGroups } from './scenario-groups.ts';

const PARTS = ['cpu', 'virtual', 'cp', 'io'] as const;

function measures(...owners: string[]): Measure[] {
  return owners.flatMap((owner) =>
    PARTS.map((part) => ({ name: `${owner} ${part}`, label: `${owner} ${part}`, unit: 'number' as const })),
  );
}

/** `3.0 2.0 1.0 33` in the order of the measures; `-` where nothing is printed. */
function run(name: string, wanted: readonly Measure[], figures: string): MeasuredRun {
  const values = figures.split(' ');
  return { name, measures: Object.fromEntries(wanted.map((measure, i) => [measure.name, Number(values[i])])) };
}

function against(baseline: string, runs: readonly MeasuredRun[]): RatioTable['comparisons'] {
  return [{ baseline, runs: runs.map(({ name }) => name) }];
}

function expectRatios(wanted: readonly Measure[], table: RatioTable, printed: Readonly<Record<string, string>>): void {
  const view = ratiosView(wanted, [table], ENGLISH_TABLES);
  const ratios = tableOf(view, `${table.title}: ratio to ${table.comparisons[0]?.baseline}`);
  for (const [name, figures] of Object.entries(printed)) {
    const row = rowOf(ratios, { run: name });
    figures.split(' ').forEach((figure, i) => {
      const measure = wanted[i]?.name ?? '';
      if (figure === '-') expect(row[measure], `${name} ${measure}`).toBeNull();
      else expectPrinted(row[measure], figure, `${name} ${measure}`);
    });
  }
}

describe('Telnet connect and disconnect through the SSL server', () => {
  const wanted = measures('SSLSERV', 'TCPIP', 'TOTAL');

  test('new sessions', () => {
    const runs = [
      run('no SSL', wanted, '0 0 0 0 3 2 1 33 3 2 1 33'),
      run('512 bits', wanted, '21 19 2 0 9 5 4 41.3 30 24 6 41.3'),
      run('1024 bits', wanted, '74 73 1 0.6 10 5 5 41 84 78 6 41.6'),
    ];
    expectRatios(
      wanted,
      { title: 'New sessions', runs, comparisons: against('no SSL', runs) },
      {
        'no SSL': '- - - - 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0',
        '512 bits': '- - - - 3.0 2.5 4.0 1.3 10.0 12.0 6.0 1.3',
        '1024 bits': '- - - - 3.3 2.5 5.0 1.2 28.0 39.0 6.0 1.3',
      },
    );
  });

  test('resumed sessions', () => {
    const runs = [
      run('no SSL', wanted, '0 0 0 0 4 3 1 40 4 3 1 40'),
      run('512 bits', wanted, '13 11 2 0 11 6 5 50.2 24 17 7 50.2'),
      run('1024 bits', wanted, '15 11 4 0 13 7 6 49 28 18 10 49'),
    ];
    expectRatios(
      wanted,
      { title: 'Resumed sessions', runs, comparisons: against('no SSL', runs) },
      {
        'no SSL': '- - - - 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0',
        '512 bits': '- - - - 2.8 2.0 5.0 1.3 6.0 5.7 7.0 1.3',
        '1024 bits': '- - - - 3.3 2.3 6.0 1.2 7.0 6.0 10.0 1.2',
      },
    );
  });
});

test('a file of 10 MB by FTP under six cipher suites', () => {
  const wanted: Measure[] = [
    { name: 'elapsed', label: 'Elapsed', unit: 's' },
    { name: 'rate', label: 'Rate', unit: 'kb_per_second' },
    ...measures('SSLSERV', 'TCPIP', 'FTPSERVE', 'TOTAL'),
  ];
  const runs = [
    run('none', wanted, '11.17 917 0 0 0 0 0.54 0.38 0.16 8689 0.09 0.05 0.04 341 0.63 0.43 0.20 9030'),
    run('rc4_128_md5', wanted, '13.59 753 1.30 1.24 0.06 0 0.90 0.53 0.37 8207 0.09 0.05 0.04 341 2.29 1.82 0.47 8548'),
    run('rc4_128_sha', wanted, '14.39 712 1.84 1.77 0.07 0 0.89 0.53 0.36 8139 0.09 0.04 0.05 341 2.82 2.34 0.48 8480'),
    run('rc4_40_md5', wanted, '13.68 749 1.33 1.27 0.06 0 0.96 0.56 0.40 8239 0.07 0.05 0.02 341 2.36 1.88 0.48 8580'),
    run('rc2_40_md5', wanted, '18.10 566 2.59 2.54 0.05 0 0.88 0.53 0.35 7804 0.06 0.05 0.01 341 3.53 3.12 0.41 8145'),
    run('des_56_sha', wanted, '18.43 556 5.01 4.94 0.07 0 0.95 0.57 0.38 7917 0.07 0.04 0.03 341 6.03 5.55 0.48 8258'),
  ];
  expectRatios(
    wanted,
    { title: 'FTP', runs, comparisons: against('none', runs) },
    {
      none: '1.000 1.000 - - - - 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000',
      rc4_128_md5: '1.217 0.821 - - - - 1.667 1.395 2.313 0.945 1.000 1.000 1.000 1.000 3.635 4.233 2.350 0.947',
      rc4_128_sha: '1.288 0.776 - - - - 1.648 1.395 2.250 0.937 1.000 0.800 1.250 1.000 4.476 5.442 2.400 0.939',
      rc4_40_md5: '1.225 0.817 - - - - 1.778 1.474 2.500 0.948 0.778 1.000 0.500 1.000 3.746 4.372 2.400 0.950',
      rc2_40_md5: '1.620 0.617 - - - - 1.630 1.395 2.188 0.898 0.667 1.000 0.250 1.000 5.603 7.256 2.050 0.902',
      des_56_sha: '1.650 0.606 - - - - 1.759 1.500 2.375 0.911 0.778 0.800 0.750 1.000 9.571 12.907 2.400 0.915',
    },
  );
});

test('the load test’s server figures: signing, bulk ciphers, worker threads', () => {
  const wanted: Measure[] = [
    { name: 'sign', label: 'RSA 2048 signature', unit: 'ms' },
    { name: 'bulk', label: 'Bulk encryption, MB/s', unit: 'number' },
    { name: 'threads', label: 'Worker threads', unit: 'count' },
  ];
  const signing = [
    run('server', wanted, '3.5'),
    run('laptop of 2012', wanted, '6.1'),
    run('laptop of 2008', wanted, '9.1'),
  ];
  expectRatios(
    wanted.slice(0, 1),
    { title: 'Signing', runs: signing, comparisons: against('server', signing) },
    {
      server: '1.0',
      'laptop of 2012': '1.7',
      'laptop of 2008': '2.6',
    },
  );
  const bulk = [
    { name: 'AES', measures: { bulk: 173 } },
    { name: 'RC4', measures: { bulk: 650 } },
  ];
  expectRatios(wanted.slice(1, 2), { title: 'Bulk', runs: bulk, comparisons: against('AES', bulk) }, { RC4: '3.76' });
  const threads = [
    { name: 'limit', measures: { threads: 250 } },
    { name: 'all new, peak', measures: { threads: 64 } },
  ];
  expectRatios(
    wanted.slice(2),
    { title: 'Threads', runs: threads, comparisons: against('limit', threads) },
    { 'all new, peak': '0.256' },
  );
});

test('no baseline, no ratios, and it is said', () => {
  const wanted = measures('TOTAL');
  const view = ratiosView(
    wanted,
    [{ title: 'T', runs: [run('a', wanted, '1 2 3 4')], comparisons: [{ baseline: 'b', runs: ['a'] }] }],
    ENGLISH_TABLES,
  );
  expect(tableOf(view, 'T: ratio to b')).toMatchObject({ rows: [], notes: [expect.stringMatching(/not measured/)] });
});

describe('from samples', () => {
  const plain = { scheme: 'http' as const, connection: 'new' as const, unknown: { tls: 'plain_http' as const } };
  const repeat = <T>(value: T) => Array.from({ length: 12 }, () => value);
  const samples = [
    ...repeat(makeSample({ ...plain, metrics: { cpu: 2 }, times: { tcp: 40_000, tls: null, wait: 40_000 } })),
    ...repeat(
      makeSample({
        connection: 'new',
        handshake: 'full',
        metrics: { cpu: 6, median: 9 },
        serverTime: 5000,
        times: { tcp: 40_000, tls: 80_000, wait: 40_000 },
        tls: { version: 'TLSv1.2', cipher: 'AES', keyExchange: null, issuer: null },
      }),
    ),
    ...repeat(
      makeSample({
        connection: 'new',
        handshake: 'resumed',
        metrics: { cpu: 3 },
        times: { tcp: 40_000, tls: 40_000, wait: 40_000 },
      }),
    ),
    makeSample({ connection: 'new', excluded: 'status', status: 401, metrics: { cpu: 1000 } }),
    ...repeat(makeSample({ encodedBodySize: LARGE_BODY, times: { wait: 50_000, receive: 50_000 } })),
  ];
  const view = scenarioRatiosView(scenarioGroups(samples));

  test('times and Server-Timing metrics over plain HTTP', () => {
    const row = rowOf(tableOf(view, 'Users’ traffic: ratio to http-new'), { run: 'https-new-full' });
    expect(row).toMatchObject({ median: 2, 'metric:cpu': 3, serverTime: null });
    const absolute = rowOf(tableOf(view, 'Users’ traffic'), { run: 'https-new' });
    expect(absolute).toMatchObject({ n: 24, 'metric:cpu': 4.5, 'metric:median': 9, serverTime: 5 });
  });

  describe('over hosts at different distances', () => {
    const at = (host: string, scheme: 'http' | 'https', n: number, tcp: number) =>
      Array.from({ length: n }, () =>
        makeSample(
          scheme === 'http'
            ? { ...plain, host, times: { tcp, tls: null, wait: tcp } }
            : { host, connection: 'new', times: { tcp, tls: tcp, wait: tcp } },
        ),
      );
    const ratioOf = (given: readonly (readonly StoredSample[])[]) => {
      const table = tableOf(scenarioRatiosView(scenarioGroups(given.flat())), 'Users’ traffic: ratio to http-new');
      return { median: rowOf(table, { run: 'https-new' }).median, note: table.notes[0] };
    };

    test('no ratio where they share few requests', () => {
      const { median, note } = ratioOf([at('far', 'https', 20, 80_000), at('near', 'http', 20, 2000)]);
      expect(median).toBeNull();
      expect(note).toMatch(/^https-new and http-new share 0 % of their requests by host, so there is no ratio/);
    });

    test('said where they share some', () => {
      const { median, note } = ratioOf([
        at('near', 'https', 7, 2000),
        at('far', 'https', 3, 80_000),
        at('near', 'http', 10, 2000),
      ]);
      expect(median).toBe(1.5);
      expect(note).toMatch(/^https-new and http-new share 70 % of their requests by host: part of the ratio/);
    });

    test('no ratio of scripts to images, nor of one site to another', () => {
      const notesOf = (more: Partial<StoredSample> | { origin: { site: string } }) => {
        const https = makeSample({ connection: 'new', times: { tcp: 2000, tls: 2000, wait: 2000 }, ...more });
        const http = makeSample({ ...plain, times: { tcp: 2000, tls: null, wait: 2000 } });
        const { median, note } = ratioOf([
          Array.from({ length: 10 }, () => https),
          Array.from({ length: 10 }, () => http),
        ]);
        return [median, note?.replace(/^.* so there/, 'there')];
      };
      expect(notesOf({ type: 'script' })).toEqual([
        null,
        'there is no ratio: different types of requests are not comparable. Filter by type.',
      ]);
      expect(notesOf({ origin: { site: 'osaka' } })).toEqual([
        null,
        'there is no ratio: sites at different distances are not comparable. Filter by site.',
      ]);
    });

    test('nothing to say of one host', () => {
      const { median, note } = ratioOf([at('near', 'https', 10, 2000), at('near', 'http', 10, 2000)]);
      expect(median).toBe(1.5);
      expect(note).toMatch(/^No ratio if the baseline/);
    });
  });

  test('imported recordings have tables of their own', () => {
    const view = scenarioRatiosView(scenarioGroups([makeSample({ source: 'har-before', connection: 'new' })]));
    expect(view.tables[0]?.title).toBe('Imported recordings');
  });

  test('resumed against full', () => {
    const row = rowOf(tableOf(view, 'Users’ traffic: ratio to https-new-full'), { run: 'https-new-resumed' });
    expect(row).toMatchObject({ tls: 0.5, 'metric:cpu': 0.5 });
  });

  test('throughput of large bodies only, versions where they are known', () => {
    expect(tableOf(view, 'Users’ traffic: ratio to http-reused')).toMatchObject({
      rows: [],
      notes: ['The baseline http-reused was not measured, so there are no ratios.'],
    });
    expect(rowOf(tableOf(view, 'TLS versions and ciphers'), { scenario: 'https-new' })).toMatchObject({
      version: 'TLSv1.2',
      n: 12,
    });
    const reused = view.tables
      .flatMap(({ rows }) => rows)
      .find(({ run: name, n }) => name === 'https-reused' && n === 12);
    expect(reused?.throughput).toBe(1000);
  });
});
