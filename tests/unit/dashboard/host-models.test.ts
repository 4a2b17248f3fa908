import { describe, expect, it } from 'vitest';
import type { TimeStatistics } from '../../../collector/analysis/summary/summary-document.ts';
import { describePostQuantum } from '../../../collector/dashboard/host/post-quantum.ts';
import { describeIssuer, issuerName, otherIssuers } from '../../../collector/dashboard/host/tls-issuers.ts';
import { describePeaks, histogramBars, namePeaks } from '../../../collector/dashboard/model/histogram-bars.ts';
import { NO_CHANGES, toChanges, toTrend } from '../../../collector/dashboard/model/row-changes.ts';
import { timeAxis, timelinePoints, timelineTop } from '../../../collector/dashboard/model/timeline-points.ts';
import type { CompareCell } from '../../../collector/questions/compare.ts';
import type { HistogramCell } from '../../../collector/questions/histogram.ts';
import type { TimelineDocument, TimelineStep } from '../../../collector/questions/timeline.ts';
import type { TlsRow } from '../../../collector/questions/tls.ts';
import { fleetSummary } from './summary-fixture.ts';

const CELL = fleetSummary().cells.find(({ phases }) => phases.ttlb !== null);

function statistics(median: number, interval: readonly [number, number] | null = null): TimeStatistics {
  const known = CELL?.phases.ttlb;
  if (!known) throw new Error('The fixture has no times.');
  return { ...known, median, medianInterval: interval };
}

describe('a histogram', () => {
  const cell = (connection: string, bins: HistogramCell['bins']): HistogramCell => ({
    connection,
    browsers: 1,
    statistics: statistics(10),
    bins,
    peaks: null,
  });
  const bars = histogramBars([
    cell('reused', [
      { from: 64, to: 76, count: 90 },
      { from: 76, to: 91, count: 0 },
    ]),
    cell('new', [
      { from: 64, to: 76, count: 10 },
      { from: 215, to: 256, count: 30 },
    ]),
  ]);

  it('stacks the classes in vocabulary order, without empty segments', () => {
    expect(bars?.bars.map(({ connection, low, high }) => [connection, low, high])).toEqual([
      ['new', 0, 10],
      ['new', 0, 30],
      ['reused', 10, 100],
    ]);
    expect(bars).toMatchObject({ low: 64, high: 256, highest: 100, connections: ['new', 'reused'] });
  });

  it('names each peak after the dominant class around it', () => {
    if (bars === null) throw new Error('There are bars.');
    const peaks = namePeaks(
      [
        { at: 70, share: 0.77, prominence: 1 },
        { at: 230, share: 0.23, prominence: 0.3 },
      ],
      bars,
    );
    expect(describePeaks(peaks)).toBe('2 peaks: 70 ms · reused connection (77 %), 230 ms · new connection (23 %).');
    // The bins around each, which its mark opens.
    expect(peaks.map(({ from, to }) => [from, to])).toEqual([
      [64, 76],
      [215, 256],
    ]);
    expect(describePeaks(null)).toContain('from 200 requests on');
  });

  it('is null without values', () => {
    expect(histogramBars([])).toBeNull();
  });
});

describe('a timeline', () => {
  const step = (median: number, p95 = median * 2): TimelineStep => ({
    n: 10,
    browsers: 3,
    median,
    mean: median,
    p25: median,
    p75: median,
    p95,
    reason: null,
  });
  const document = {
    steps: ['2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z', '2026-03-01T02:00:00Z', '2026-03-01T03:00:00Z'],
    stepSeconds: 3600,
  } as unknown as TimelineDocument;

  it('has gaps where nothing was measured, and marks isolated steps', () => {
    const points = timelinePoints(document, { steps: [step(10), null, step(12), step(11)] });
    expect(points.map(({ median, alone }) => [median, alone])).toEqual([
      [10, true],
      [null, false],
      [12, false],
      [11, false],
    ]);
  });

  it('cuts its axis below one slow step, and reports that', () => {
    const calm = timelinePoints(document, { steps: [step(10), step(12), step(11), step(10)] });
    // Twice the typical average, although p95 is at 24.
    expect(timelineTop(calm)).toEqual({ top: 20 * 1.04, cut: true });
    expect(timelineTop(calm, new Set(['median', 'mean', 'band']))).toEqual({ top: 24 * 1.04, cut: false });
    const slow = timelinePoints(document, { steps: [step(10), step(12), step(11, 5000), step(10)] });
    expect(timelineTop(slow).cut).toBe(true);
    expect(timelineTop(slow)).toEqual(timelineTop(calm));
  });

  it('draws idle hours as short as one, and the others as they are', () => {
    const hours = Array.from({ length: 8 }, (_, hour) => `2026-03-01T0${hour}:00:00Z`);
    const counts = [500, null, 2, null, 400, 1, 500, 500];
    const steps = counts.map((n) => (n === null ? null : { ...step(10), n }));
    const day = { steps: hours, stepSeconds: 3600 } as unknown as TimelineDocument;
    const { idle, place } = timeAxis(timelinePoints(day, { steps }));
    const at = (hour: number) => Date.parse('2026-03-01T00:00:00Z') + hour * 3_600_000;
    expect(idle).toEqual([{ from: at(1), to: at(4) }]);
    expect([0, 1, 2.5, 4, 8].map((hour) => (place(at(hour)) - at(0)) / 3_600_000)).toEqual([0, 1, 1.5, 2, 6]);
    const days = { ...day, stepSeconds: 86_400 };
    expect(timeAxis(timelinePoints(days, { steps })).idle).toEqual([]);
  });
});

describe('a change', () => {
  const compared = (difference: number, changed: boolean): CompareCell => ({
    host: 'a.test',
    type: 'fetch',
    before: statistics(100),
    after: statistics(100 + difference),
    change: {
      before: 100,
      after: 100 + difference,
      difference,
      interval: [difference - 5, difference + 5],
      changed,
      over: 'browsers',
      because: null,
      sharedBrowsers: 9,
      drawnFrom: [50, 50],
    },
    notCompared: null,
    text: '',
  });
  const row = { host: 'a.test', type: 'fetch' };

  it('says slower or faster only if significant', () => {
    expect(toTrend(row, toChanges({ cells: [compared(20, true)] }))).toMatchObject({ difference: 20, changed: true });
    const faster = toTrend(row, toChanges({ cells: [compared(-20, true)] }));
    expect(faster).toMatchObject({
      text: 'Faster: median 100 before, 80 ms now, −20 ms, between −25 and −15 ms (95 %)',
    });
    expect(toTrend(row, toChanges({ cells: [compared(3, false)] }))).toMatchObject({
      text: expect.stringContaining('No significant change'),
    });
  });

  it('has a reason if it is unknown', () => {
    expect(toTrend(row, NO_CHANGES)).toEqual({ kind: 'off' });
    expect(toTrend(row, toChanges({ cells: [] }))).toMatchObject({ reason: 'the group is too small to compare' });
    const without = { ...compared(0, false), before: null, change: null, notCompared: 'not_measured' as const };
    expect(toTrend(row, toChanges({ cells: [without] }))).toMatchObject({ reason: 'nothing was measured before' });
    const few = { ...compared(0, false), change: null, notCompared: 'few_browsers' as const };
    expect(toTrend(row, toChanges({ cells: [few] }))).toMatchObject({
      reason: 'fewer than 5 browsers, too few to compare',
    });
  });
});

describe('unusual TLS issuer', () => {
  it.each([
    ['CN=Example CA 3,O=Example Trust', 'Example CA 3 (Example Trust)'],
    ['CN=Example CA 3,O=Example', 'Example CA 3'],
    ['CN="Box, inner",OU=IT,O="Example, Inc."', 'Box, inner (Example, Inc.)'],
    ['O=Example Trust', 'Example Trust'],
    ['E=ca@example.com', 'E=ca@example.com'],
  ])('%s is called %s', (distinguished, name) => {
    expect(issuerName(distinguished)).toBe(name);
  });

  const issuer = (value: string, samples: number, tls: TimeStatistics | null, browsers = 5): TlsRow => ({
    fact: 'issuer',
    value,
    samples,
    browsers,
    tls,
    roundTrips: null,
    ttlb: statistics(80, [78, 82]),
  });

  it('is reported with the cost of its handshakes', () => {
    const [other] = otherIssuers([
      issuer('CN=Usual', 600, statistics(83, [80, 86])),
      issuer('CN=Box', 90, statistics(144, [130, 150])),
    ]);
    expect(other).toMatchObject({ issuer: 'CN=Box', tls: 61, ttlb: null, certain: true });
    if (other === undefined) throw new Error('There is one.');
    expect(describeIssuer(other)).toBe(
      '5 browsers (90 requests) see a certificate from Box instead of the usual one: TLS inspection on the path, or another server. It changes the median handshake by +61 ms.',
    );
  });

  it('has no significant cost, or an unknown one', () => {
    const usual = issuer('CN=Usual', 600, statistics(83, [80, 86]));
    const [close] = otherIssuers([usual, issuer('CN=Box', 90, statistics(85, [79, 92]))]);
    expect(close?.certain).toBe(false);
    const [few] = otherIssuers([usual, issuer('CN=Box', 90, statistics(144, [130, 150]), 4)]);
    expect(few?.certain).toBe(false);
    const [unknown] = otherIssuers([usual, issuer('CN=Box', 90, null)]);
    if (unknown === undefined) throw new Error('There is one.');
    expect(describeIssuer(unknown)).toContain('its cost is unknown');
    expect(otherIssuers([usual])).toEqual([]);
  });
});

describe('post-quantum key exchange', () => {
  const group = (value: string, median: number, roundTrips: number | null, n = 40): TlsRow => ({
    ...{ fact: 'keyExchange', value, samples: 600, browsers: 5 },
    ...{ tls: { ...statistics(median, [median - 1, median + 1]), n }, roundTrips, ttlb: null },
  });

  it('is told in milliseconds and round trips beside the usual group', () => {
    expect(describePostQuantum([group('x25519', 62, 1.02), group('mlkem768x25519', 121, 2.01)])).toBe(
      'Post-quantum key exchange: the handshake takes +59 ms compared with x25519, 2.01 instead of 1.02 round trips (medians).',
    );
  });

  it('is not told from few handshakes, without round trips, or without another group', () => {
    expect(describePostQuantum([group('x25519', 62, 1.02), group('mlkem768x25519', 121, 2.01, 29)])).toBeNull();
    expect(describePostQuantum([group('x25519', 62, null), group('mlkem768x25519', 121, null)])).toBeNull();
    expect(describePostQuantum([group('mlkem768x25519', 121, 2.01)])).toBeNull();
  });
});
