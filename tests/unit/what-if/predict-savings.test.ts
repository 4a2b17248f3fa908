import { describe, expect, it } from 'vitest';
import { whatIfWords } from '../../../collector/analysis/text/what-if-words.ts';
import { predictSavings } from '../../../collector/analysis/what-if/predict-savings.ts';
import type { Remedy, Saving } from '../../../collector/analysis/what-if/saving.ts';
import type { RequestRow } from '../findings/request-rows.ts';
import { eachOf, type RowChanges, START, waitsOf } from './request-row.ts';

const BROWSERS = 12;
const ROUNDS = 5;
const N = BROWSERS * ROUNDS;

function predict(remedy: Remedy, rows: readonly RequestRow[], isShown?: (site: string) => boolean): Saving {
  const found = predictSavings(waitsOf(rows), isShown === undefined ? {} : { isShown }).find(
    (one) => one.remedy === remedy,
  );
  if (found === undefined) throw new Error(`Nothing about ${remedy}.`);
  return found;
}

/** One request of each browser and round. */
const each = (of: (browser: number, round: number) => RowChanges) => eachOf(BROWSERS, ROUNDS, (...at) => [of(...at)]);
const savedExactly = ({ savedMs, savedInterval }: Saving) => [savedMs, ...(savedInterval ?? [])];
const saved = ({ savedMs, savedInterval }: Saving) =>
  [savedMs, ...(savedInterval ?? [])].map((ms) => Math.round(ms ?? Number.NaN));

describe('session tickets', () => {
  const handshake = (kind: 'full' | 'resumed' | 'unknown', tls: number, idle = 70_000): RowChanges => ({
    connection: 'new',
    handshake: kind,
    idle,
    times: { tcp: 20, tls },
  });

  it('save what full handshakes take beyond a round trip, unless they are first visits of the hour', () => {
    const rows = each((_, round) => handshake('full', 65, [Number.NaN, 4_000_000][round] ?? 70_000));
    const affected = N - 2 * BROWSERS;
    expect(saved(predict('session_tickets', rows))).toEqual([affected * 44, affected * 43, affected * 45]);
    expect(predict('session_tickets', rows).facts).toEqual({ handshakes: N, full: N });
  });

  it('take what resumed ones of the host take', () => {
    const rows = [...each(() => handshake('full', 65)), ...each(() => handshake('resumed', 29))];
    expect(saved(predict('session_tickets', rows))).toEqual([N * 36, N * 36, N * 36]);
  });

  it('are only known where the server tells', () => {
    expect(
      predict(
        'session_tickets',
        each(() => handshake('unknown', 65)),
      ).reason,
    ).toBe('handshake_not_told');
    expect(
      predict(
        'session_tickets',
        each(() => ({})),
      ).reason,
    ).toBe('too_few_requests');
    expect(
      predict(
        'session_tickets',
        each(() => handshake('resumed', 20)),
      ),
    ).toMatchObject({ savedMs: 0, reason: null });
  });
});

describe('TLS 1.3', () => {
  const old = { connection: 'new', engine: 'firefox', tls: 'before13', times: { tcp: 20, tls: 43 } } as const;

  it('saves a round trip of each full handshake that took two', () => {
    expect(
      saved(
        predict(
          'tls_13',
          each(() => old),
        ),
      ),
    ).toEqual([N * 20, N * 20, N * 20]);
    expect(
      predict(
        'tls_13',
        each(() => ({ ...old, handshake: 'resumed' as const })),
      ).savedMs,
    ).toBe(0);
    expect(
      predict(
        'tls_13',
        each(() => ({ ...old, times: { tcp: 20, tls: 24 } })),
      ).savedMs,
    ).toBe(0);
    expect(
      predict(
        'tls_13',
        each(() => ({ ...old, tls: 'from13' as const })),
      ),
    ).toMatchObject({
      savedMs: 0,
      facts: { handshakes: N, before13: 0 },
    });
  });

  it('is not known if no browser reports the version', () => {
    expect(
      predict(
        'tls_13',
        each(() => ({ ...old, tls: 'unknown' as const })),
      ).reason,
    ).toBe('tls_version_unknown');
  });
});

describe('HTTP/2', () => {
  it('saves queueing, and connections beside one that is open', () => {
    const rows = eachOf(BROWSERS, ROUNDS, (_, round) => {
      const at = START + round * 60_000;
      const old = { protocol: 'http/1.1', idle: 59_000 } as const;
      return [
        // From 30 ms on the first one is open and busy.
        { ...old, at, connection: 'new', times: { tcp: 10, tls: 10, wait: 80 } },
        { ...old, at: at + 40, template: '/a', connection: 'new', times: { tcp: 10, tls: 10, wait: 80 } },
        { ...old, at: at + 41, template: '/b', times: { blocked: 55 } },
      ];
    });
    const saving = predict('http2', rows);
    expect(saved(saving)).toEqual([N * 70, N * 65, N * 75]);
    expect(saving).toMatchObject({ affectedRequests: 2 * N, facts: { http1Requests: 3 * N } });
  });

  it('does not save what the browser takes to schedule many requests at once', () => {
    const rows = eachOf(BROWSERS, ROUNDS, (_, round) => {
      const at = START + round * 60_000;
      const request = (number: number, blocked: number): RowChanges => ({
        protocol: 'http/1.1',
        at,
        template: `/${number}`,
        idle: round === 0 ? Number.NaN : 59_000,
        times: { blocked, wait: 100 },
      });
      // Six connections for eight requests: two wait until the first two are answered.
      return [...[0, 1, 2, 3, 4, 5].map((number) => request(number, 40)), request(6, 145), request(7, 145)];
    });
    const saving = predict('http2', rows);
    expect(saved(saving)).toEqual([N * 210, N * 130, N * 290]);
    expect(saving).toMatchObject({ affectedRequests: 2 * N });
  });

  it('saves nothing where it is used', () => {
    expect(
      predict(
        'http2',
        each(() => ({ times: { blocked: 50 } })),
      ),
    ).toMatchObject({ savedMs: 0, affectedRequests: 0 });
  });
});

describe('the slow group cured', () => {
  it('takes the median of the rest of its like', () => {
    const rows = eachOf(BROWSERS, 40, (browser, round) => {
      const slow = round === browser % 40;
      const wait = 20 + ((browser + round) % 7);
      return [{ times: { wait: slow ? 1000 : wait } }, { template: '/other', times: { wait: 40 + wait } }];
    });
    const { savedMs, facts, affectedRequests } = predict('slow_group', rows);
    expect(affectedRequests).toBe(BROWSERS);
    expect(savedMs).toBeCloseTo(BROWSERS * (1002 - 25), -2);
    expect(facts.slowShare).toBeCloseTo(1 / 80);
    expect(facts.fromMs).toBeGreaterThan(100);
  });

  it('leaves slow requests out of what is usual, even where most are slow', () => {
    const rows = eachOf(BROWSERS, 40, (browser, round) => [
      { times: { wait: 20 + ((browser + round) % 7) } },
      ...(round < 8 ? [{ template: '/search', times: { wait: round < 5 ? 2000 : 18 + round } }] : []),
    ]);
    // Three of eight are not slow and take 25, 26 and 27 ms with their receive.
    expect(predict('slow_group', rows).savedMs).toBeCloseTo(BROWSERS * 5 * (2002 - 26), 3);
  });

  it('saves nothing if no request is slow', () => {
    expect(
      predict(
        'slow_group',
        each((browser) => ({ times: { wait: 20 + browser } })),
      ),
    ).toMatchObject({
      savedMs: 0,
      facts: { slowShare: 0 },
    });
  });
});

describe('a nearer site', () => {
  const sites = ['Berlin', 'Lyon', 'Oslo'];
  const rows = eachOf(BROWSERS, 20, (browser, round) => {
    const place = browser % 3;
    const roundTrip = 10 + 30 * place;
    const site = sites[place] as string;
    return [
      { site, connection: 'new', times: { tcp: roundTrip, tls: roundTrip, wait: 20 + roundTrip } },
      { site, at: START + round * 60_000 + 500, times: { wait: 20 + roundTrip } },
    ];
  });

  it('saves its distance in each round trip', () => {
    const savings = predictSavings(waitsOf(rows)).filter(({ remedy }) => remedy === 'nearer_site');
    expect(savings.map(({ site, nearSite, savedMs, facts }) => [site, nearSite, savedMs, facts.fartherMs])).toEqual([
      ['Oslo', 'Berlin', 80 * 60 * 4, 60],
      ['Lyon', 'Berlin', 80 * 30 * 4, 30],
    ]);
  });

  it('needs two sites, and names none that may not be named', () => {
    expect(predict('nearer_site', rows, (site) => site !== 'Berlin')).toMatchObject({ site: 'Oslo', nearSite: 'Lyon' });
    expect(predict('nearer_site', rows, (site) => site === 'Oslo').reason).toBe('few_sites');
  });
});

describe('Timing-Allow-Origin', () => {
  it('saves no time, and shows opaque requests', () => {
    const rows = [...each(() => ({})), ...each(() => ({ outcome: 'opaque' as const, times: { wait: 58 } }))];
    expect(predict('timing_allowed', rows)).toMatchObject({
      savedMs: 0,
      affectedRequests: N,
      facts: { opaqueShare: 0.5, hiddenShare: 0.75 },
    });
  });
});

describe('the interval of a saving', () => {
  // Ten browsers wait 40 to 58 ms on HTTP/1.1, ten others do not queue at all.
  const rows = eachOf(20, 2, (browser) => [
    { protocol: 'http/1.1', times: { blocked: browser < 10 ? 45 + 2 * browser : 0 } },
  ]);

  it('is as wide as browsers differ, including those that save nothing', () => {
    const sums = Array.from({ length: 20 }, (_, browser) => (browser < 10 ? 2 * (40 + 2 * browser) : 0));
    const total = sums.reduce((a, b) => a + b, 0);
    const mean = total / 20;
    const sd = Math.sqrt(sums.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / 19);
    // 2.093 is Student's t with 19 degrees of freedom.
    const half = 2.093 * sd * Math.sqrt(20);
    const [saved, low = 0, high = 0] = savedExactly(predict('http2', rows));
    expect(saved).toBeCloseTo(total);
    // How much of each wait is the browser's own is known to 5 ms.
    expect(low).toBeCloseTo(total - half - 20 * 5, 0);
    expect(high).toBeCloseTo(total + half + 20 * 5, 0);
  });

  it('counts page views where there are few browsers', () => {
    // One browser, thirty views of two requests each, of which one queues in every other view.
    const few = eachOf(1, 30, (_, view) => [
      { protocol: 'http/1.1', times: { blocked: view % 2 === 0 ? 45 : 0 } },
      { protocol: 'http/1.1', at: START + view * 60_000 + 500, template: '/a' },
    ]);
    const sd = Math.sqrt((30 * 20 * 20) / 29);
    const [saved, low = 0] = savedExactly(predict('http2', few));
    expect(saved).toBe(15 * 40);
    expect(low).toBeCloseTo(600 - 2.045 * sd * Math.sqrt(30) - 15 * 5, 0);
  });
});

describe('the words of a saving', () => {
  const closed = eachOf(BROWSERS, ROUNDS, () =>
    [1, 2, 10, 20].map((pause) => ({
      idle: pause * 1000,
      ...(pause > 5 ? { connection: 'new' as const, times: { tcp: 10, tls: 10 } } : {}),
    })),
  );
  const ofSeconds = (seconds: number) =>
    predictSavings(waitsOf(closed)).find((one) => one.seconds === seconds) as Saving;

  it('say how much, in both languages', () => {
    // 20 of 100 ms on average: half of four requests take 40 ms instead of 20.
    expect(whatIfWords(ofSeconds(30), 'en')).toMatchObject({
      title: 'A keep-alive timeout of 30 s',
      saves: '33.3 % of the total time (33.3 to 33.3 %): 20 ms in each of 120 requests.',
    });
    expect(whatIfWords(ofSeconds(30), 'de').saves).toBe(
      '33,3 % der Gesamtzeit (33,3 bis 33,3 %): 20 ms bei jeder von 120 Anfragen.',
    );
  });

  it('say that nothing would be saved, or that it is not known', () => {
    expect(whatIfWords(ofSeconds(5), 'en').saves).toBe('Nothing: the same connections would be opened.');
    expect(
      whatIfWords(
        predict(
          'session_tickets',
          each(() => ({})),
        ),
        'de',
      ).saves,
    ).toBe('Nicht bekannt: Zu wenige Anfragen hängen davon ab.');
  });

  it('say what a shorter timeout would cost', () => {
    const { savedMs, savedInterval, savedShare, perRequestMs, ...rest } = ofSeconds(30);
    const costs = {
      ...rest,
      savedMs: -1000,
      savedInterval: [-1500, -500],
      savedShare: -0.1,
      perRequestMs: -20,
    } as const;
    expect([savedMs, savedInterval, savedShare, perRequestMs]).not.toContain(null);
    expect(whatIfWords(costs, 'en').saves).toBe('Costs 10 % more time (5 to 15 %): 20 ms in each of 120 requests.');
  });
});
