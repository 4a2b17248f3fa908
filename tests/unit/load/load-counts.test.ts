import { expect, test } from 'vitest';
import { LoadCounts } from '../../../collector/analysis/load/load-counts.ts';
import { scenarioDocument } from '../../../collector/analysis/load/load-document.ts';
import { loadPoints } from '../../../collector/analysis/load/load-points.ts';
import { isProven, type LoadedRequest, type LoadScenario } from '../../../collector/analysis/load/loaded-request.ts';
import { loadReport } from '../../../collector/reports/write/load-report.ts';

const CONNECTION = { startedAt: 0, connectedAt: 10, securedAt: 30, handshake: 'full' as const, tls: null };

function request(scenario: LoadScenario, given: Partial<LoadedRequest> = {}): LoadedRequest {
  return {
    scenario,
    ...{ intendedAt: 0, startedAt: 0, connection: null, sentAt: 1, firstByteAt: 50, endedAt: 60 },
    ...{ status: 200, bytes: 1024, error: null },
    ...given,
  };
}

function countsOf(scenario: LoadScenario, requests: readonly LoadedRequest[], seconds = 1): LoadCounts {
  const counts = new LoadCounts(scenario);
  for (const each of requests) counts.add(each, 0, false);
  counts.seconds = seconds;
  return counts;
}

test.each([
  ['https-reused', null, true],
  ['https-reused', CONNECTION, false],
  ['https-new-full', CONNECTION, true],
  ['https-new-full', { ...CONNECTION, handshake: 'resumed' as const }, false],
  ['https-new-full', null, false],
  ['https-new-resumed', { ...CONNECTION, handshake: 'resumed' as const }, true],
  ['https-new-resumed', CONNECTION, false],
  ['http-new', { ...CONNECTION, securedAt: null, handshake: null }, true],
  ['http-new', null, false],
] as const)('a request is %s only if its own connection says so: %o is %s', (scenario, connection, proven) => {
  expect(isProven(request(scenario, { connection }))).toBe(proven);
});

test('times are those of proven answers; rates and codes are those of all, except the warm-up', () => {
  const proven = request('https-new-full', { connection: CONNECTION, sentAt: 30, firstByteAt: 80, endedAt: 90 });
  const counts = countsOf('https-new-full', [
    proven,
    request('https-new-full'),
    { ...proven, status: 503 },
    { ...proven, error: 'ECONNRESET', status: null },
  ]);
  counts.add(proven, 0, true);
  expect(scenarioDocument(counts, null)).toMatchObject({
    ...{ requests: 5, warmup: 1, usable: 1, unproven: 1, perSecond: 2, kbPerSecond: 2, handshakesPerSecond: 3 },
    codes: { 200: 2, 503: 1, ECONNRESET: 1 },
    times: {
      tcp: { n: 1, median: 10 },
      tls: { n: 1, median: 20 },
      connect: { median: 30 },
      processing: { median: 60 },
      waiting: { median: 50 },
      total: { n: 1, median: 90 },
    },
  });
});

test('corrected times begin when a request should have begun', () => {
  const late = request('http-reused', { intendedAt: 0, startedAt: 400, sentAt: 401, firstByteAt: 409, endedAt: 410 });
  const { times } = scenarioDocument(countsOf('http-reused', [late]), null);
  expect(times.total?.median).toBe(10);
  expect(times.corrected?.median).toBe(410);
});

test('each second has its codes and its median', () => {
  const at = (endedAt: number, status = 200) => request('http-reused', { startedAt: endedAt - 20, endedAt, status });
  const { bySecond } = scenarioDocument(countsOf('http-reused', [at(500), at(600), at(1500, 401)]), null);
  expect(bySecond).toEqual([
    { second: 0, n: 2, median: 20, codes: { 200: 2 } },
    { second: 1, n: 1, median: 20, codes: { 401: 1 } },
  ]);
});

test('what the server paid is told per request and per handshake', () => {
  const counts = countsOf('https-new-full', Array(10).fill(request('https-new-full', { connection: CONNECTION })));
  const { server } = scenarioDocument(counts, { cpu: 0.05, seconds: 2, tls: { full: 10 } });
  expect(server).toMatchObject({ cores: 0.025, cpuMsPerRequest: 5, cpuMsPerHandshake: 5, tls: { full: 10 } });
});

test('the sentences name the price of each handshake, and what makes the numbers doubtful', () => {
  const reused = countsOf('https-reused', [
    request('https-reused', { bytes: 10 }),
    request('https-reused', { bytes: 20 }),
  ]);
  const full = countsOf('https-new-full', [
    request('https-new-full', { connection: CONNECTION, endedAt: 90 }),
    request('https-new-full', { connection: CONNECTION, endedAt: 90, status: 401 }),
  ]);
  const resumed = countsOf('https-new-resumed', [request('https-new-resumed', { connection: CONNECTION })]);
  const points = loadPoints(
    [reused, full, resumed].map((each) => scenarioDocument(each, null)),
    { stopped: 'unauthorized', busy: 0.5, failedReadings: 0 },
  );
  expect(points).toEqual([
    expect.stringContaining('Fifty answers in a row were 401'),
    'https-reused: bodies had 10 to 20 bytes, so not always the same thing was measured.',
    'https-new-full: 1 of 2 requests were not answered with 2xx (1 × 401).',
    'https-new-resumed: the server resumed no session in 1 connections, so there are no times.',
    'A new connection for each request, with a full handshake: 30 ms more in the median, 30 ms more at p99.',
  ]);
});

test('a load that ends in its warm-up says what came of it, and one that has no user free what it left out', () => {
  const counts = new LoadCounts('https-reused');
  for (let i = 0; i < 43; i++) counts.add(request('https-reused', { status: 401 }), 0, true);
  const paced = countsOf('http-reused', [request('http-reused')]);
  paced.neverBegun = 7;
  const documents = [counts, paced].map((each) => scenarioDocument(each, null));
  expect(loadPoints(documents, { stopped: null, busy: 0.97, failedReadings: 2 })).toEqual([
    expect.stringContaining('computed for 97 % of the time'),
    expect.stringContaining('could not be read 2 times'),
    'https-reused: it ended in the warm-up (43 × 401).',
    'http-reused: 7 requests never began, because no user was free for them.',
  ]);
});

test('the report draws response times in bins that an eye can tell apart, in ms', () => {
  const times = Array.from({ length: 800 }, (_, i) => request('https-reused', { endedAt: 50 + i / 10 }));
  const counts = countsOf('https-reused', times);
  const about = { title: '', subtitle: '', points: [], endedAt: 0, rate: null, cpuCounter: null, data: {} };
  const { sections } = loadReport({ ...about, counts: [counts], scenarios: [scenarioDocument(counts, null)] });
  const chart = sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'chart')?.chart;
  const [{ bins = [] } = {}] = chart?.kind === 'histogram' ? chart.lines : [];
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(800);
  // 50 to 130 ms are 1.4 octaves of four bins.
  expect([bins.length, bins[0]?.from, bins.at(-1)?.to]).toEqual([6, expect.closeTo(46.3, 1), expect.closeTo(131.1, 1)]);
});
