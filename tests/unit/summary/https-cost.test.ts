import { expect, test } from 'vitest';
import { aggregateSamples } from '../../../collector/analysis/summary/aggregate-samples.ts';
import { toFinding } from '../../../collector/analysis/summary/finding.ts';
import { toHttpsCost } from '../../../collector/analysis/summary/https-cost.ts';
import { summarizeCell } from '../../../collector/analysis/summary/summarize-cell.ts';
import type { HttpsCost, SummaryCell } from '../../../collector/analysis/summary/summary-document.ts';
import { ENGLISH } from '../../../collector/analysis/text/english.ts';
import { ENGLISH_HTTPS_COST } from '../../../collector/analysis/text/english-https-cost.ts';
import { findingText } from '../../../collector/analysis/text/finding-text.ts';
import { GERMAN } from '../../../collector/analysis/text/german.ts';
import { GERMAN_HTTPS_COST } from '../../../collector/analysis/text/german-https-cost.ts';
import { httpsCostLines } from '../../../collector/analysis/text/https-cost-text.ts';
import type { TlsPaid } from '../../../collector/reductions/set-up.ts';
import type { StoredSample } from '../../../shared/sample/sample.ts';
import { seededRandom } from '../../../shared/statistics/seeded-random.ts';
import { makeSample } from './make-sample.ts';

const repeat = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);
const kept = makeSample({ times: { wait: 200_000 } });
const opened = makeSample({ connection: 'new', times: { tcp: 40_000, tls: 92_000, wait: 200_000 } });
const h3 = makeSample({
  connection: 'new',
  protocol: 'h3',
  times: { tcp: null, tls: 50_000 },
  unknown: { tcp: 'merged_h3' },
});
const plain = makeSample({ scheme: 'http', times: { wait: 9000, tls: null }, unknown: { tls: 'plain_http' } });
const hidden = makeSample({ connection: 'opaque', times: { wait: null, ttfb: null } });
const paid = (requests: number, time: number): TlsPaid => ({ requests, opened: 10, measured: 10, time });

function cost(samples: readonly StoredSample[], browsers: readonly TlsPaid[] | null = []): HttpsCost {
  const [cell] = aggregateSamples(samples, []);
  if (cell === undefined) throw new Error('There is no cell.');
  return toHttpsCost(cell, browsers);
}

test('per request, at the median, and on those that open a connection', () => {
  const { share, ...found } = cost([...repeat(91, kept), ...repeat(9, opened)], repeat(20, paid(100, 920_000)));
  expect(found).toEqual({
    requests: 100,
    opened: 9,
    mean: 8.28,
    interval: [8.28, 8.28],
    median: 0,
    perConnection: 92,
    busiest: 0.05,
    reason: null,
  });
  expect(share).toBeCloseTo(828 / (100 * 200 + 9 * 132), 12);
});

test('the interval is that of browsers which differ', () => {
  // Half of them pay 80 ms a handshake and half 120: each deviates by 0.01, so the relative variance is 20/19 · 20 · 0.01².
  const browsers = [...repeat(10, paid(100, 800_000)), ...repeat(10, paid(100, 1_200_000))];
  const t19 = 2.093;
  const error = t19 * Math.sqrt((20 / 19) * 20 * 0.01 ** 2);
  const [low, high] = cost([...repeat(90, kept), ...repeat(10, opened)], browsers).interval ?? [];
  expect(low).toBeCloseTo(9.2 * (1 - error), 3);
  expect(high).toBeCloseTo(9.2 * (1 + error), 3);
});

test('and contains the truth in about 95 of 100 fleets of 40 browsers', () => {
  const random = seededRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** Their handshakes, habits and numbers of requests all differ: on average 100 ms, one in ten. */
  const fleet = () =>
    Array.from({ length: 40 }, (): TlsPaid => {
      const requests = Math.ceil(200 * Math.exp(0.6 * normal()));
      const rate = Math.min(1, 0.1 * Math.exp(0.3 * normal() - 0.045));
      const handshake = 100_000 * Math.exp(0.5 * normal() - 0.125);
      const own = Array.from({ length: requests }, random).filter((draw) => draw < rate).length;
      return { requests, opened: own, measured: own, time: Math.round(own * handshake) };
    });
  let contained = 0;
  for (let n = 0; n < 300; n++) {
    const browsers = fleet();
    const sum = (name: keyof TlsPaid) => browsers.reduce((total, one) => total + one[name], 0);
    const mean = sum('time') / sum('requests');
    const [low, high] = cost([...repeat(9, kept), opened], browsers).interval ?? [0, 0];
    // It is given about 9.2 ms, whatever the fleet.
    const [from, to] = [(low / 9.2) * mean, (high / 9.2) * mean];
    if (from <= 10_000 && to >= 10_000) contained++;
  }
  expect(contained / 300).toBeGreaterThan(0.91);
  expect(contained / 300).toBeLessThan(0.985);
});

test.each<[HttpsCost['reason'], StoredSample[], readonly TlsPaid[] | null]>([
  ['no_samples', [hidden], []],
  ['plain_http', [plain, plain], []],
  ['merged_h3', [kept, opened, h3], []],
  ['few_browsers', [kept, opened], repeat(9, paid(100, 1))],
  // One browser makes most of the requests.
  ['few_browsers', [kept, opened], [...repeat(20, paid(10, 1)), paid(1000, 1)]],
  ['few_connections', [kept, opened], repeat(20, { requests: 9, opened: 1, measured: 1, time: 1 })],
  ['samples_expired', [kept, opened], null],
])('no wrong interval: %s', (reason, samples, browsers) => {
  expect(cost(samples, browsers)).toMatchObject({ interval: null, reason });
});

test('a few connections of HTTP/3 hide nothing: from more than a tenth on nothing is told', () => {
  expect(cost([...repeat(20, kept), ...repeat(9, opened), h3]).mean).toBeGreaterThan(20);
  expect(cost([...repeat(20, kept), ...repeat(8, opened), h3])).toMatchObject({ mean: null, reason: 'merged_h3' });
});

test('connections whose handshake is unknown count as the others', () => {
  const earlier = makeSample({
    connection: 'new',
    times: { tcp: null, tls: null, wait: 10_000, ttlb: 99_000 },
    unknown: { tcp: 'begun_earlier', tls: 'begun_earlier' },
  });
  expect(cost([...repeat(8, kept), opened, earlier])).toMatchObject({ requests: 10, opened: 2, mean: 18.4 });
});

test('one browser that makes more than a fifth of the requests is said, beside the costs and in the finding', () => {
  const [found] = aggregateSamples([...repeat(40, kept), opened], []);
  if (found === undefined) throw new Error('There is no cell.');
  const cell = (own: number): SummaryCell => ({
    ...summarizeCell(found),
    target: 'erp',
    httpsCost: toHttpsCost(found, [paid(own, 1), ...repeat(8, paid(10, 1))]),
  });
  const text = (own: number, texts = ENGLISH) => {
    const finding = toFinding(cell(own));
    return finding === null ? '' : findingText(finding, texts)[1];
  };
  expect(httpsCostLines([cell(30)], ENGLISH_HTTPS_COST)[0]).toMatch(/ One browser makes 27 % of the requests\.$/);
  expect(httpsCostLines([cell(20)], ENGLISH_HTTPS_COST)[0]).not.toContain('One browser');
  expect(text(30)).toContain('One browser makes 27 % of the requests.');
  expect(text(30, GERMAN)).toContain('Ein einziger Browser stellt 27 % der Anfragen.');
  expect(text(20)).not.toContain('One browser');
});

test('a sentence for each app, the most expensive first', () => {
  const cell = (target: string | null, samples: readonly StoredSample[]): SummaryCell => {
    const [found] = aggregateSamples(samples, []);
    if (found === undefined) throw new Error('There is no cell.');
    return {
      ...summarizeCell(found),
      target,
      httpsCost: { ...toHttpsCost(found, repeat(20, paid(100, 1))), share: 0.034 },
    };
  };
  const cells = [
    cell(null, [h3, opened]),
    cell('crm', [...repeat(99, kept), ...repeat(25, hidden), opened]),
    cell('erp', [...repeat(91, kept), ...repeat(9, opened)]),
    cell('wiki', repeat(1200, kept)),
  ];
  expect(httpsCostLines(cells, ENGLISH_HTTPS_COST, new Map([['erp', 'ERP']]))).toEqual([
    'HTTPS costs ERP’s users 8.3 ms per request (3 %; 95 %: 8.3 to 8.3 ms): 0 at the median, 92 ms on the 9 % that open a connection.',
    'HTTPS costs crm’s users 0.9 ms per request (3 %; 95 %: 0.9 to 0.9 ms): 0 at the median, 92 ms on the 1 % that open a connection. Not counted: the 20 % whose phases the browser hides.',
    'HTTPS costs wiki’s users nothing: none of 1,200 requests opened a connection.',
    'What HTTPS costs users outside the apps can’t be told: HTTP/3 sets up transport and TLS in one exchange.',
  ]);
  const { target: _, ...whole } = cell(null, [...repeat(91, kept), ...repeat(9, opened)]);
  expect(httpsCostLines([whole], ENGLISH_HTTPS_COST)[0]).toMatch(/^HTTPS costs users 8\.3 ms per request/);
  expect(httpsCostLines([whole], GERMAN_HTTPS_COST)[0]).toMatch(/^HTTPS kostet die Nutzer 8,3 ms je Anfrage/);
  expect(httpsCostLines(cells.slice(2, 3), GERMAN_HTTPS_COST)).toEqual([
    'HTTPS kostet die Nutzer von erp 8,3 ms je Anfrage (3 %; 95 %: 8,3 bis 8,3 ms): 0 im Median, 92 ms bei den 9 %, die eine Verbindung öffnen.',
  ]);
});
