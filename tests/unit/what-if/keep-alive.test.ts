import { describe, expect, it } from 'vitest';
import { whatIfWords } from '../../../collector/analysis/text/what-if-words.ts';
import { predictSavings } from '../../../collector/analysis/what-if/predict-savings.ts';
import type { Saving } from '../../../collector/analysis/what-if/saving.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import type { RequestRow } from '../findings/request-rows.ts';
import { eachOf, waitsOf } from './request-row.ts';

const BROWSERS = 12;
const DAY = 86_400_000;
/** Seconds between the pages of each browser. */
const PAUSES = [2, 4, 10, 20, 50, 100, 200, 400];
const SET_UP = { dns: 5, tcp: 10, tls: 15 };

/** A server with that timeout, as Chromium or Firefox see it. */
function recorded(timeoutMs: number, changes: Partial<RequestRow> = {}): RequestRow[] {
  return eachOf(BROWSERS, 5, () =>
    PAUSES.map((pause) => {
      const closed = pause * 1000 > timeoutMs;
      return {
        idle: pause * 1000,
        connection: closed ? ('new' as const) : ('reused' as const),
        times: closed ? SET_UP : {},
        ...changes,
      };
    }),
  );
}

function keepAlive(rows: readonly RequestRow[], minBrowsers = 0): Saving[] {
  return predictSavings(waitsOf(rows), { minBrowsers }).filter(({ remedy }) => remedy === 'keep_alive');
}

const per = (savings: readonly Saving[]) =>
  Object.fromEntries(savings.map(({ seconds, savedMs }) => [seconds, savedMs && Math.round(savedMs)]));
const each = 5 * BROWSERS;

describe('another keep-alive timeout', () => {
  it('saves the set-up of connections that were closed sooner', () => {
    const savings = keepAlive(recorded(5000));
    expect(per(savings)).toEqual({
      5: 0,
      15: each * 30,
      30: 2 * each * 30,
      60: 3 * each * 30,
      120: 4 * each * 30,
      300: 5 * each * 30,
    });
    expect(savings.map(({ facts }) => facts)).toEqual(
      [6, 5, 4, 3, 2, 1].map((closed) => ({ connections: 6 * each, connectionsAfter: closed * each })),
    );
    // All browsers are alike, so nothing is uncertain.
    const last = savings.at(-1);
    expect(last?.savedInterval?.map(Math.round)).toEqual([5 * each * 30, 5 * each * 30]);
    expect(last).toMatchObject({ affectedRequests: 5 * each, perRequestMs: 30, reason: null });
  });

  it('costs a set-up where it is shorter', () => {
    expect(per(keepAlive(recorded(60_000)))).toEqual({
      5: -3 * each * 30,
      15: -2 * each * 30,
      30: -each * 30,
      60: 0,
      120: each * 30,
      300: 2 * each * 30,
    });
  });

  it('saves nothing beyond what browsers keep themselves', () => {
    const firefox = per(keepAlive(recorded(5000, { engine: 'firefox' })));
    expect(firefox[300]).toBe(firefox[120]);
    expect(firefox[120]).toBe(4 * each * 30);
  });

  it('is worth it for a server that keeps no connection at all', () => {
    expect(per(keepAlive(recorded(-1)))[60]).toBe(5 * each * 30);
  });

  it('does not prevent connections that are opened for other reasons', () => {
    // In one round of five, even after the shortest pauses.
    const rows = recorded(5000).map((one, i): RequestRow => {
      const fresh = one.idle <= 4000 && Math.floor(i / PAUSES.length) % 5 === 0;
      return fresh ? { ...one, connection: 'new', times: { ...one.times, ...SET_UP } } : one;
    });
    expect(per(keepAlive(rows))[60]).toBe(Math.round(0.8 * 3 * each * 30));
  });

  /** The timeout of each day, the first of them on 7 September. */
  const days = (...timeouts: readonly number[]) =>
    timeouts.flatMap((timeout, day) => recorded(timeout).map((one) => ({ ...one, at: one.at + day * DAY })));

  it('is judged by the days since the timeout in use last changed', () => {
    const savings = keepAlive(days(60_000, 60_000, 60_000, 60_000, 5000, 5000));
    // On two days three of eight pauses are too long; all days together look like a timeout of 50 s.
    expect(per(savings)[60]).toBe(2 * 3 * each * 30);
    expect(savings[3]?.facts).toMatchObject({ since: Date.UTC(2026, 8, 11) });
    expect(whatIfWords(savings[3] as Saving, 'en').assumption).toContain('last changed on Sep 11, 2026;');
    expect(whatIfWords(savings[3] as Saving, 'de').assumption).toContain('Timeout am 11.09.2026;');
    expect(per(keepAlive(days(5000, 5000, 60_000, 60_000, 60_000)))[60]).toBe(0);
    expect(per(keepAlive(days(5000, 60_000, 60_000, 5000)))[60]).toBe(3 * each * 30);
  });

  it('sees no change where connections are opened by chance', () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = seededRandom(seed);
      const rows = days(...Array.from({ length: 14 }, () => 15_000)).map((one): RequestRow => {
        const other = random() < 0.2;
        const fresh = (one.connection === 'new') !== other;
        return { ...one, connection: fresh ? 'new' : 'reused', times: { ...one.times, ...(fresh ? SET_UP : {}) } };
      });
      expect(keepAlive(rows)[0]?.facts).not.toHaveProperty('since');
    }
  });

  it('may also save slow start, which its interval says', () => {
    const [low, high] = keepAlive(recorded(5000, { size: 40_000 })).at(-1)?.savedInterval ?? [];
    expect([low, high].map((ms) => Math.round(ms ?? 0))).toEqual([5 * each * 30, 5 * each * (30 + 10)]);
  });

  it('is not known without idle times, nor from a few requests', () => {
    const reasons = (rows: RequestRow[], minBrowsers = 0) => [
      ...new Set(keepAlive(rows, minBrowsers).map(({ reason }) => reason)),
    ];
    expect(reasons(recorded(5000, { idle: Number.NaN }))).toEqual(['no_idle_times']);
    expect(reasons(recorded(5000).slice(0, 20))).toEqual(['too_few_requests']);
    // No browser is affected by what changes nothing.
    expect(reasons(recorded(5000), BROWSERS + 1)).toEqual([null, 'too_few_browsers']);
    expect(keepAlive(recorded(5000), BROWSERS + 1).at(-1)).toMatchObject({
      savedMs: null,
      savedInterval: null,
      facts: {},
    });
  });
});
