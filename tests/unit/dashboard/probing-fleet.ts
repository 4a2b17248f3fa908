import type { StoredSample } from '../../../shared/sample/sample.ts';
import type { Settings } from '../../../shared/settings/settings-schema.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { SCENARIOS, type Scenario } from '../../../shared/vocabulary/vocabulary.ts';
import type { BrowserStatus, ProbeRun } from '../../../shared/wire/browser-status.ts';
import { makeSample } from '../summary/make-sample.ts';

const HOUR = 3_600_000;
const SITES = ['Berlin', 'Lyon', 'Porto'] as const;
/** Round trip by site, ms. */
const ROUND_TRIP: Readonly<Record<string, number>> = { Berlin: 12, Lyon: 26, Porto: 41 };
/** When the probed app's server was down, hours before now. */
const DOWN = { site: 'Lyon', from: 6.4, to: 4.9 };

export const PROBING_SETTINGS: Settings = {
  version: 1,
  targets: [
    { id: 'erp', name: 'ERP', match: ['https://erp.example.com/*', 'http://erp.example.com/*'] },
    { id: 'crm', name: 'CRM', match: ['http://crm.example.com/*'] },
    { id: 'dms', name: 'Documents', match: ['https://files.example.com/*'] },
  ],
  delivery: { intervalSeconds: 60 },
  probes: {
    enabled: true,
    requestsPerHour: 240,
    schedule: [
      { id: 'logo', target: 'erp', url: 'https://erp.example.com/logo.png', everyMinutes: 60, share: 0.1 },
      {
        id: 'order',
        target: 'erp',
        everyMinutes: 60,
        steps: [
          { url: 'https://erp.example.com/login', thresholdMs: 300 },
          { url: 'https://erp.example.com/orders', thresholdMs: 160, text: 'Orders' },
        ],
      },
    ],
  },
};

/** A probe sequence and a script each hour from two browsers per site, for a day. */
export function probeSamples(now: number, hours = 23): StoredSample[] {
  const random = seededRandom(5);
  const samples: StoredSample[] = [];
  for (const site of SITES) {
    for (let browser = 0; browser < 2; browser++) {
      for (let hour = 0; hour < hours; hour++) {
        const at = startOf(now, hour, browser);
        samples.push(...turnOf(site, browser, at, down(site, now - at), random));
      }
    }
  }
  return samples.sort((a, b) => a.at - b.at);
}

function startOf(now: number, hour: number, browser: number): number {
  return Math.round(now - (hour + 0.15 + 0.1 * browser) * HOUR);
}

function down(site: string, ago: number): boolean {
  return site === DOWN.site && ago < DOWN.from * HOUR && ago > DOWN.to * HOUR;
}

/** Client ids of the probing browsers. */
export function proberOf(site: string, browser: number): string {
  return `prober-${site.toLowerCase()}-${browser}`;
}

function turnOf(site: string, browser: number, at: number, isDown: boolean, random: () => number): StoredSample[] {
  const origin = { client: proberOf(site, browser), site, browserVersion: '128.0' };
  const trip = (ROUND_TRIP[site] ?? 20) * 1000;
  const around = (us: number) => Math.round((us * (0.94 + 0.16 * random() ** 2)) / 100) * 100;
  const common = { host: 'erp.example.com', target: 'erp', type: 'fetch' as const, origin };
  const ladder = SCENARIOS.flatMap((scenario) =>
    Array.from({ length: 3 }, (_, run) => {
      const own = { ...common, at: at + run * 1000, template: '/logo.png', source: `probe-${scenario}` };
      if (isDown) return failed(own);
      const fresh = scenario.endsWith('new');
      const https = scenario.startsWith('https');
      const sample = makeSample({
        ...own,
        scheme: https ? 'https' : 'http',
        connection: fresh ? 'new' : 'reused',
        unknown: https ? {} : { tls: 'plain_http' },
        times: {
          tcp: fresh ? around(trip) : 0,
          tls: https ? (fresh ? around(trip * 1.9) : 0) : null,
          wait: around(trip + 9000 + (https ? 1100 : 0)),
          receive: 400,
        },
      });
      return run === 2 && hourly(at) % 5 === 0 ? { ...sample, excluded: 'unproven' as const } : sample;
    }),
  );
  const step = (number: number, template: string, wait: number, offset: number) =>
    makeSample({
      ...common,
      journey: 'order',
      step: number,
      run: at,
      at: at + offset,
      template,
      source: 'probe-script',
      times: { wait: around(trip + wait), receive: 2000 },
    });
  const script = isDown
    ? [
        failed({
          ...common,
          at: at + 5000,
          template: '/login',
          source: 'probe-script',
          journey: 'order',
          step: 1,
          run: at,
        }),
      ]
    : [step(1, '/login', 150_000, 5000), step(2, '/orders', 110_000, 6000)];
  return [...ladder, ...script];
}

function failed(own: Parameters<typeof makeSample>[0]): StoredSample {
  const times = {
    blocked: null,
    dns: null,
    tcp: null,
    tls: null,
    wait: null,
    receive: null,
    redirect: null,
    ttfb: null,
  };
  const unknown = Object.fromEntries([...Object.keys(times), 'ttlb'].map((name) => [name, 'failed' as const]));
  return makeSample({
    ...own,
    connection: 'failed',
    excluded: 'failed',
    status: null,
    error: 'net::ERR_CONNECTION_REFUSED',
    unknown,
    times: { ...times, ttlb: null },
  } as never);
}

function hourly(at: number): number {
  return Math.floor(at / HOUR);
}

/** Each browser's status report: some are degraded, some dropped rows, probing ones report their runs. */
export function statusOf(client: string, now: number): BrowserStatus | null {
  const number = Number(/(\d+)$/.exec(client)?.[1] ?? 0);
  const turns = client.startsWith('prober-') ? [...turnsOf(now), ...scriptRuns(client, now)] : [];
  if (number === 7) return null;
  return {
    state: number % 13 === 5 ? 'degraded' : 'collecting',
    waiting: number % 9,
    dropped: number % 17 === 3 ? { full: 120 } : {},
    rejected: number % 21 === 2 ? { in_future: 4 } : {},
    lost: number % 11 === 4 ? { flood: 30 } : {},
    turns,
  };
}

/** The script's runs, of which `probeSamples` has the samples. */
function scriptRuns(client: string, now: number, hours = 23): ProbeRun[] {
  const site = SITES.find((name) => client.includes(name.toLowerCase())) ?? '';
  return Array.from({ length: hours }, (_, hour) => {
    const at = startOf(now, hour, Number(client.at(-1)));
    const isDown = down(site, now - at);
    return {
      probe: 'order',
      target: 'erp',
      at,
      skipped: null,
      scenarios: [],
      steps: isDown ? ['error:net::ERR_CONNECTION_REFUSED'] : [null, null],
      stepTimes: isDown ? [null] : [190_000, 150_000],
    };
  });
}

function turnsOf(now: number): ProbeRun[] {
  const scenario = (name: Scenario, method: 'keep_alive' | 'close_header', reason: string | null) => ({
    scenario: name,
    method,
    kept: 3,
    discarded: reason === null ? {} : { [reason]: 1 },
    unavailable: null,
  });
  return [
    {
      probe: 'logo',
      target: 'erp',
      at: now - HOUR / 2,
      skipped: null,
      scenarios: [
        scenario('http-new', 'close_header', null),
        scenario('http-reused', 'keep_alive', null),
        scenario('https-reused', 'keep_alive', 'not_reused'),
        { scenario: 'https-new', method: 'close_header', kept: 3, discarded: { not_new: 2 }, unavailable: null },
      ],
      steps: [],
    },
    { probe: 'order', target: 'erp', at: now - HOUR / 3, skipped: 'not_idle', scenarios: [], steps: [] },
  ];
}
