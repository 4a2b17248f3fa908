import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { toBatchColumns } from '../../collector/ingest/decode/decode-batch.ts';
import { FEW_BROWSERS } from '../../shared/vocabulary/dimensions.ts';
import { IS_SHORT } from '../rounds.ts';
import { NOW, ORIGIN, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { STATUS } from '../unit/wire/status-fixture.ts';
import { browserId, fill } from './fill-store.ts';
import { questionsNotAsked } from './questions-asked.ts';
import { type TestApp, testApp } from './test-app.ts';

const DAY = 24 * 3_600_000;
const TLS = { version: 'TLSv1.3', cipher: null, keyExchange: null, issuer: null };
/** Users' samples of each browser; the lonely one has another number, so that it is known by it. */
const EACH = 10;
const LONELY = 7;
const FLEET = { Berlin: 24, Lyon: 6 } as const;

/** 24 browsers in Berlin, 6 in Lyon, and the only Firefox, which is all of Porto and has a page of its own. */
async function lonelyFleet(source = PLAIN_SAMPLE.source): Promise<TestApp> {
  const app = await testApp();
  const rows = (n: number, more: Partial<typeof PLAIN_SAMPLE> = {}) =>
    Array.from({ length: n }, (_, i) => ({
      ...PLAIN_SAMPLE,
      at: NOW - 1000 - i,
      tls: TLS,
      source,
      ...more,
    }));
  let browser = 0;
  for (const [site, size] of Object.entries(FLEET)) {
    for (let i = 0; i < size; i++) await fill(app.store, rows(EACH), { client: browserId(browser++), site });
  }
  const lonely = { client: browserId(browser), site: 'Porto', browser: 'firefox' } as const;
  await fill(app.store, rows(LONELY), lonely);
  return app;
}

const ALL = 307;
/** Each filter, and the samples it has: what the whole exceeds it by is of the lonely browser, or it is that one's. */
const SPLITTING: readonly (readonly [filter: string, samples: number])[] = [
  ['browser=chromium', 300],
  ['site=Berlin&site=Lyon', 300],
  ['site=Lyon', 60],
  ['browser=firefox', LONELY],
  ['site=Porto', LONELY],
  ['site=Lyon&browser=chromium', 60],
  ['not.browser=firefox', 300],
  ['not.site=Porto', 300],
  ['not.site=Berlin&not.site=Porto', 60],
  ['not.site=Berlin&not.browser=chromium', LONELY],
  ['not.site=Berlin', 60 + LONELY],
];
const HARMLESS: readonly (readonly [filter: string, samples: number])[] = [
  ['site=Berlin', 240],
  ['not.site=Lyon&not.site=Porto', 240],
];

/** Each can be asked with these filters; its counts are among the numbers of its answer. */
const QUESTIONS = [
  'summary?by=type',
  'summary?by=host&include=gapCuts,overheads,serverShares,slowGroup,abandoned,httpsCost',
  'histogram?',
  'timeline?step=1d',
  'compare?',
  'findings?',
  'what-if?',
  'pages?',
  'evidence?by=host',
  'tls?',
  'report?format=json&view=pages',
  'report?format=json&view=scenarios',
  'report?format=json&view=phases',
  'report?format=json&view=ratios',
  'report?format=json&view=summary&by=host',
  'report?format=json&view=monthly',
];

/** Questions without such counts, and what tests them instead. */
const ASKED_ELSEWHERE: Readonly<Record<string, string>> = {
  changes: 'counts no samples of its groups, which are those of timeline; changes-route.test.ts',
  'site-hosts': 'has no total, only counts by site and host; answers-subtracted.test.ts',
  samples: 'the rows of an export; the test of it below',
  'page-view': 'for admins only; samples-route.test.ts',
  probes: 'counts runs; the tests of probes below',
  fleet: 'counts browsers, not samples; fleet-route.test.ts',
  'view=probes': 'the same document as probes',
  'view=compare': 'the same document as compare',
};

test('every question is asked', () => {
  expect(questionsNotAsked(QUESTIONS)).toEqual(Object.keys(ASKED_ELSEWHERE));
});

/** What is no count of samples: how an answer was made, and the timeouts that are compared. */
const NO_COUNTS = ['method', 'seconds'];

/** Every other number of a document. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (NO_COUNTS.includes(name) ? [] : numbersOf(inner)));
}

async function ask(app: TestApp, question: string, filter: string, as: 'read' | 'admin' = 'read') {
  const answer = await app.send({ url: `/api/v1/${question}&${filter}`, as });
  expect([question, filter, answer.statusCode]).toEqual([question, filter, 200]);
  return answer.json();
}

/** Whether a question knows a filter. */
async function knows(app: TestApp, question: string, filter: string): Promise<boolean> {
  return (await app.send({ url: `/api/v1/${question}&${filter}`, as: 'admin' })).statusCode === 200;
}

test.skipIf(IS_SHORT)('no question tells a viewer of a lonely browser by what its filters leave out', async () => {
  const app = await lonelyFleet();
  for (const question of QUESTIONS) {
    expect([question, numbersOf(await ask(app, question, ''))]).toEqual([question, expect.arrayContaining([ALL])]);
    for (const [harmless, samples] of HARMLESS) {
      expect([question, harmless, numbersOf(await ask(app, question, harmless))]).toEqual([
        question,
        harmless,
        expect.arrayContaining([samples]),
      ]);
    }
    for (const [filter, own] of SPLITTING) {
      if (!(await knows(app, question, filter))) continue;
      expect([question, filter, numbersOf(await ask(app, question, filter)).includes(own)]).toEqual([
        question,
        filter,
        false,
      ]);
      const forAdmin = numbersOf(await ask(app, question, filter, 'admin'));
      expect([question, filter, forAdmin.includes(own)]).toEqual([question, filter, true]);
    }
  }
});

test('the groups a viewer is shown never leave a lonely one over', async () => {
  const app = await lonelyFleet();
  for (const dimension of ['site', 'browser']) {
    const { cells } = await ask(app, `summary?by=${dimension}`, '');
    const names = cells.map((cell: Record<string, unknown>) => cell[dimension]);
    expect(names).not.toContain('Porto');
    expect(names).not.toContain('Lyon');
    expect(names).toContain(FEW_BROWSERS);
    const shown = cells.reduce((sum: number, { samples }: { samples: number }) => sum + samples, 0);
    expect(shown).toBe(ALL);
    for (const { samples } of cells) expect(samples).toBeGreaterThan(60);
  }
  // Within one page too, whose whole is shown by other questions.
  const { cells } = await ask(app, 'histogram?by=host', 'browser=chromium');
  expect(cells).toEqual([]);
});

test('a finer grouping hides a second group wherever a coarser one would tell the first', async () => {
  const app = await testApp();
  const sites = { Berlin: 24, Lyon: 12, Porto: 9 };
  let browser = 0;
  for (const [site, size] of Object.entries(sites)) {
    for (let i = 0; i < size; i++) {
      // Six Firefox in each of two sites, and one in the third.
      const kind = i < (site === 'Porto' ? 1 : 6) ? 'firefox' : 'chromium';
      await fill(app.store, [{ ...PLAIN_SAMPLE, at: NOW - 1000 }], {
        client: browserId(browser++),
        site,
        browser: kind,
      });
    }
  }
  const samplesOf = async (question: string, filter = ''): Promise<Record<string, number>> => {
    const { cells } = await ask(app, `summary?by=${question}`, filter);
    const names = question.split(',');
    return Object.fromEntries(
      cells.map((cell: Record<string, string> & { samples: number }) => [
        names.map((name) => cell[name]).join(' '),
        cell.samples,
      ]),
    );
  };
  expect(await samplesOf('site')).toEqual(sites);
  expect(await samplesOf('browser')).toEqual({ chromium: 32, firefox: 13 });
  // Porto's one Firefox takes Porto's others along, and so that the sum of all Firefox does not tell it, one other site.
  const shown = await samplesOf('site,browser');
  expect(Object.keys(shown).filter((name) => name.startsWith('Porto'))).toEqual([]);
  expect(Object.keys(shown).filter((name) => name.endsWith('firefox'))).toHaveLength(1);
  expect(await samplesOf('site', 'browser=firefox')).toEqual({ Lyon: 6 });
  expect(await samplesOf('type', 'site=Porto&browser=chromium')).toEqual({});
});

test('parts of a gap and versions of browsers are left out where a filter leaves few of them over', async () => {
  const app = await testApp();
  const visit = (browser: number, site: string, host: string, browserVersion: string) =>
    fill(
      app.store,
      Array.from({ length: 3 }, () => ({ ...PLAIN_SAMPLE, at: NOW - 1000, host })),
      {
        client: browserId(browser),
        site,
        browserVersion,
      },
    );
  // Berlin has five of the six browsers that ask b.example.com, and of those of version 127.
  for (let browser = 0; browser < 24; browser++) {
    const site = browser < 12 ? 'Berlin' : 'Lyon';
    const isRare = browser < 5 || browser === 23;
    await visit(browser, site, 'a.example.com', isRare ? '127.0.0.0' : '128.0.0.0');
    await visit(browser, site, 'c.example.com', isRare ? '127.0.0.0' : '128.0.0.0');
    if (isRare) await visit(browser, site, 'b.example.com', '127.0.0.0');
  }
  const hostsOf = async (filter: string, as: 'read' | 'admin' = 'read') => {
    const { cells } = await ask(app, 'summary?by=type&include=gapCuts', filter, as);
    return cells[0].gapCuts.hosts.map(({ name }: { name: string }) => name);
  };
  expect(await hostsOf('')).toContain('b.example.com');
  expect(await hostsOf('site=Berlin', 'admin')).toContain('b.example.com');
  expect(await hostsOf('site=Berlin')).not.toContain('b.example.com');
  const versionsOf = async (filter: string, as: 'read' | 'admin' = 'read') => {
    const { fleet } = await ask(app, 'evidence?by=type', filter, as);
    return fleet.versions.map(({ version }: { version: string }) => version);
  };
  expect(await versionsOf('')).toEqual(['128', '127']);
  expect(await versionsOf('site=Berlin', 'admin')).toEqual(['128', '127']);
  expect(await versionsOf('site=Berlin')).not.toContain('127');
});

test('requests of an odd kind, or of a browser that was just invented, empty no filter for everybody', async () => {
  const app = await testApp();
  const later = NOW + 9 * DAY;
  const send = (
    browser: number,
    receivedAt: number,
    origin: Partial<typeof ORIGIN>,
    more: Partial<typeof PLAIN_SAMPLE>,
  ) =>
    app.store.samples.append([
      {
        id: randomUUID(),
        receivedAt,
        clockCorrection: 0,
        origin: { ...ORIGIN, client: browserId(browser), ...origin },
        columns: toBatchColumns([{ ...PLAIN_SAMPLE, at: receivedAt - 1, ...more }]),
      },
    ]);
  const range = `from=${new Date(later - 5 * DAY).toISOString()}&to=${new Date(later).toISOString()}`;
  const samplesOf = async (filter: string) => {
    const { cells } = await ask(app, 'summary?by=type', `${range}&${filter}`);
    return cells.map(({ samples }: { samples: number }) => samples);
  };
  for (let browser = 0; browser < 25; browser++) await send(browser, later - 3 * DAY, { site: 'Berlin' }, {});
  for (let browser = 0; browser < 2; browser++) {
    const odd = { connection: 'unknown', handshake: 'resumed', protocol: null, scheme: 'http' } as const;
    await send(browser, later - 3 * DAY, { site: 'Berlin' }, odd);
  }
  app.clock.now = later;
  for (const filter of ['connection=new', 'protocol=h2', 'scheme=https', 'scenario=https-new', 'handshake=unknown']) {
    expect([filter, await samplesOf(filter)]).toEqual([filter, [25]]);
  }
  expect(await samplesOf('connection=unknown')).toEqual([]);
  await send(99, later - 3_600_000, { site: 'Invented', browser: 'firefox' }, {});
  expect([await samplesOf('browser=chromium'), await samplesOf('site=Berlin')]).toEqual([[27], [27]]);
  expect([await samplesOf('browser=firefox'), await samplesOf('site=Invented')]).toEqual([[], []]);
});

test('no view of probes tells a viewer of a lonely browser', async () => {
  const app = await lonelyFleet('probe-https-new');
  const sitesOf = async (filter: string, as: 'read' | 'admin') => {
    const { paths } = await ask(app, 'probes?', filter, as);
    return paths.map(({ site }: { site: string }) => site).sort();
  };
  expect([await sitesOf('', 'admin'), await sitesOf('', 'read')]).toEqual([['Berlin', 'Lyon', 'Porto'], ['Berlin']]);
  expect(await sitesOf('site=Berlin', 'read')).toEqual(['Berlin']);
  for (const [filter] of SPLITTING) {
    // Berlin is the same with and without the filter.
    expect([filter, (await sitesOf(filter, 'read')).filter((site: string) => site !== 'Berlin')]).toEqual([filter, []]);
    expect([filter, (await sitesOf(filter, 'admin')).length > 0]).toEqual([filter, true]);
  }
});

test('a path of probes is left out where a filter leaves a few browsers of it over', async () => {
  const app = await testApp();
  const probe = { ...PLAIN_SAMPLE, at: NOW - 1000, source: 'probe-https-new' };
  for (let browser = 0; browser < 30; browser++) {
    // Ten Firefox, of which one is among the eight that probe the rare host.
    const rare = browser > 21 ? [{ ...probe, host: 'rare.example.com' }] : [];
    const kind = browser > 11 && browser < 21 ? 'firefox' : browser === 29 ? 'firefox' : 'chromium';
    await fill(app.store, [{ ...probe, host: 'erp.example.com' }, ...rare], {
      client: browserId(browser),
      browser: kind,
    });
  }
  const hostsOf = async (filter: string, as: 'read' | 'admin') => {
    const { paths } = await ask(app, 'probes?', filter, as);
    return paths.map(({ host }: { host: string }) => host).sort();
  };
  const both = ['erp.example.com', 'rare.example.com'];
  expect([await hostsOf('', 'read'), await hostsOf('browser=chromium', 'admin')]).toEqual([both, both]);
  expect(await hostsOf('browser=chromium', 'read')).not.toContain('rare.example.com');
});

test('what TLS was spoken is left out where a filter leaves a few browsers of it over', async () => {
  const app = await testApp();
  for (let browser = 0; browser < 24; browser++) {
    // Six browsers speak TLS 1.2: five in Berlin, one in Lyon. All speak TLS 1.3 too.
    const versions = browser < 5 || browser === 23 ? ['TLSv1.2', 'TLSv1.3'] : ['TLSv1.3'];
    const rows = versions.map((version) => ({ ...PLAIN_SAMPLE, at: NOW - 1000, tls: { ...TLS, version } }));
    await fill(app.store, rows, { client: browserId(browser), site: browser < 12 ? 'Berlin' : 'Lyon' });
  }
  const versionsOf = async (filter: string, as: 'read' | 'admin' = 'read') => {
    const { rows } = await ask(app, 'tls?', filter, as);
    return rows.flatMap(({ fact, value }: Record<string, string>) => (fact === 'version' ? [value] : []));
  };
  expect(await versionsOf('')).toContain('TLSv1.2');
  expect(await versionsOf('site=Berlin', 'admin')).toContain('TLSv1.2');
  expect(await versionsOf('site=Berlin')).not.toContain('TLSv1.2');
});

test('turns of probes are not told where several sites leave a few browsers of all', async () => {
  const app = await testApp();
  const turn = { probe: 'login', target: 'erp', at: NOW - 50_000, skipped: null, scenarios: [], steps: [null] };
  for (let browser = 0; browser < 24; browser++) {
    const site = browser === 23 ? 'Porto' : browser < 12 ? 'Berlin' : 'Lyon';
    await app.store.samples.append([
      {
        id: randomUUID(),
        receivedAt: NOW - 1,
        clockCorrection: 0,
        origin: { ...ORIGIN, client: browserId(browser), site },
        columns: toBatchColumns([{ ...PLAIN_SAMPLE, at: NOW - 1000 }]),
        status: { ...STATUS, turns: [turn] },
      },
    ]);
  }
  const runOf = async (filter: string, as: 'read' | 'admin' = 'read') =>
    (await ask(app, 'probes?', filter, as)).turns.run;
  expect([await runOf(''), await runOf('site=Berlin', 'admin'), await runOf('site=Lyon', 'admin')]).toEqual([
    24, 12, 11,
  ]);
  // Of all, Berlin and Lyon leave the one in Porto.
  expect([await runOf('site=Berlin'), await runOf('site=Lyon'), await runOf('site=Porto')]).toEqual([12, null, null]);
  expect([await runOf('not.site=Porto', 'admin'), await runOf('not.site=Porto')]).toEqual([23, null]);
});

test('probes show no step of a few browsers on a path of many', async () => {
  const app = await lonelyFleet('probe-https-new');
  const rare = { ...PLAIN_SAMPLE, at: NOW - 1000, source: 'probe-https-new', template: '/rare' };
  await fill(app.store, [rare], { client: browserId(0), site: 'Berlin' });
  const stepsOf = async (as: 'read' | 'admin') => JSON.stringify((await ask(app, 'probes?', '', as)).view.tables);
  expect([/rare/.test(await stepsOf('admin')), /rare/.test(await stepsOf('read'))]).toEqual([true, false]);
});

test('an export has no row of a lonely browser, nor by what is missing in it', async () => {
  const app = await lonelyFleet();
  const lines = async (filter: string) =>
    (await app.send({ url: `/api/v1/export?format=ndjson&${filter}`, as: 'read' })).body
      .split('\n')
      .filter((line) => line !== '');
  const all = await lines('');
  expect(all).toHaveLength(240);
  for (const line of all) expect(JSON.parse(line)).toMatchObject({ site: 'Berlin', browser: 'chromium' });
  expect(await lines('browser=firefox')).toEqual([]);
  expect(await lines('site=Lyon')).toEqual([]);
  expect(await lines('not.browser=chromium')).toEqual([]);
  expect(await lines('not.site=Berlin')).toEqual([]);
});

test('single samples are those of an export: no lonely browser, nor by how many match', async () => {
  const app = await lonelyFleet();
  const matching = async (filter: string, as: 'read' | 'admin' = 'read') => {
    const answer = await ask(app, 'samples?limit=200', filter, as);
    const sites = new Set(answer.samples.map(({ site }: { site: string }) => site));
    return [answer.matching, [...sites].sort()];
  };
  expect(await matching('', 'admin')).toEqual([ALL, ['Berlin']]);
  expect(await matching('')).toEqual([240, ['Berlin']]);
  for (const [filter, samples] of HARMLESS)
    expect([filter, ...(await matching(filter))]).toEqual([filter, samples, ['Berlin']]);
  for (const [filter, own] of SPLITTING) {
    expect([filter, (await matching(filter, 'admin'))[0]]).toEqual([filter, own]);
    expect([filter, [240, 0]]).toEqual([filter, expect.arrayContaining([(await matching(filter))[0]])]);
  }
});

test('metrics leave out a second group with the only one that is too small', async () => {
  const app = await lonelyFleet();
  const samples = async () => {
    const { body } = await app.send({ url: '/metrics' });
    return [...body.matchAll(/^lastbyte_samples_total\{[^}]*host="([^"]+)"/gm)].map(([, host]) => host);
  };
  app.clock.now = NOW + 3_600_000;
  const rows = (host: string, n: number) => Array.from({ length: n }, () => ({ ...PLAIN_SAMPLE, host, at: NOW + 1 }));
  for (let browser = 0; browser < 24; browser++) {
    const visits = [...rows('many.example.com', 3), ...rows('some.example.com', 2)];
    const more = browser === 0 ? rows('lonely.example.com', 1) : [];
    await fill(app.store, [...visits, ...more], { client: browserId(browser) });
  }
  expect(new Set(await samples())).toEqual(new Set(['many.example.com']));
});

test('browsers heard of for less than a day make no group large enough; a day later they do', async () => {
  const app = await testApp();
  const later = NOW + 9 * DAY;
  const send = async (browser: number, site: string, receivedAt: number) => {
    await app.store.samples.append([
      {
        id: randomUUID(),
        receivedAt,
        clockCorrection: 0,
        origin: { ...ORIGIN, client: browserId(browser), site },
        columns: toBatchColumns([{ ...PLAIN_SAMPLE, at: receivedAt - 1 }]),
      },
    ]);
  };
  for (let browser = 0; browser < 30; browser++) await send(browser, browser < 20 ? 'Berlin' : 'Lyon', later - 3 * DAY);
  await send(30, 'Porto', later - 3 * DAY);
  for (let browser = 31; browser < 35; browser++) await send(browser, 'Porto', later - 3_600_000);
  app.clock.now = later;
  const sites = async () => {
    const range = `from=${new Date(later - 5 * DAY).toISOString()}&to=${new Date(later).toISOString()}`;
    const { cells } = await ask(app, `summary?by=site&${range}`, '');
    return cells.map(({ site }: { site: string }) => site);
  };
  expect(await sites()).toEqual([FEW_BROWSERS, 'Berlin']);
  app.clock.now = later + DAY;
  expect(await sites()).toEqual(['Berlin', 'Lyon', 'Porto']);
});

test('in the first days of a fleet and of a month all browsers count', async () => {
  const app = await lonelyFleet();
  // The first of March: every browser has just taken a new number.
  const { cells } = await ask(app, 'summary?by=type', '');
  expect(cells).toMatchObject([{ samples: ALL, browsers: 31 }]);
  // And later, while no twenty are known for a day.
  app.clock.now = NOW + 2.9 * DAY;
  expect((await ask(app, 'summary?by=type', `from=${new Date(NOW - DAY).toISOString()}`)).cells).toHaveLength(1);
});
