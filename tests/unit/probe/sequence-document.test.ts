import { expect, test } from 'vitest';
import { overheadSentence } from '../../../collector/analysis/probes/overhead-sentence.ts';
import { sequenceDocument } from '../../../collector/analysis/probes/sequence-document.ts';
import { DEFAULT_BASELINES } from '../../../collector/analysis/summary/overhead.ts';
import { runSequence } from '../../../extension/probe/run-sequence.ts';
import { fakeBrowser, outcome, REQUEST } from './fake-edges.ts';

const ORIGIN = {
  client: 'c',
  site: '',
  browser: 'chromium',
  browserVersion: '156',
  extensionVersion: '0',
  clockStep: 100,
} as const;

test('a probe sequence becomes the document of the command: phases, handshakes, ratios with intervals, one sentence', async () => {
  // Each run a little slower than the one before, so that the intervals have a width.
  let more = 0;
  const browser = fakeBrowser('chromium', 'http/1.1', (made) => {
    more = (more + 0.3) % 3;
    const { entry } = made;
    if (entry === null) return made;
    const serverTiming = [{ name: 'tls', duration: 0, description: more > 1.5 ? 'full' : 'resumed' }];
    return outcome({ ...entry, responseEnd: entry.responseEnd + more, serverTiming });
  });
  const { report, samples } = await runSequence({ ...REQUEST, repetitions: 20 }, browser);
  const document = sequenceDocument(REQUEST.url, report, samples, ORIGIN);
  expect(document.scenarios.map(({ scenario }) => scenario)).toEqual([
    'http-new',
    'http-reused',
    'https-reused',
    'https-new',
  ]);
  const [, , reused, fresh] = document.scenarios;
  expect(fresh?.phases?.tls).toMatchObject({ n: 20, median: 40 });
  expect(reused?.phases?.tls).toBeNull();
  expect(reused?.phases?.wait?.median).toBe(41);
  const handshakes = fresh?.handshakes ?? { full: 0, resumed: 0, unknown: 0 };
  expect(handshakes.full + handshakes.resumed).toBe(20);
  expect(Math.min(handshakes.full, handshakes.resumed)).toBeGreaterThan(0);

  const added = document.ratios.find(({ scenario }) => scenario === 'https-new');
  expect(added).toMatchObject({ baseline: 'http-new', reason: null });
  expect(Math.abs((added?.median?.ms ?? 0) - 40)).toBeLessThan(3);
  const [low, high] = added?.medianInterval ?? [0, 0];
  expect(low).toBeLessThanOrEqual(added?.median?.ms ?? 0);
  expect(high).toBeGreaterThanOrEqual(added?.median?.ms ?? 0);
  expect(document.sentence).toMatch(
    /^On this path HTTPS costs nothing measurable per request on a reused connection, (39|4[0-2]) ms when everything is new\.$/,
  );
  // Made again from the same runs it is the same.
  expect(sequenceDocument(REQUEST.url, report, samples, ORIGIN)).toEqual(document);
});

test('the lookup and the queue of one method are nothing that HTTPS adds', async () => {
  const browser = fakeBrowser('chromium', 'http/1.1', (made) => {
    const { entry } = made;
    if (entry === null) return made;
    const isFrame = entry.name.startsWith('https:') && entry.connectEnd > entry.connectStart;
    if (!isFrame) return made;
    // What a network partition of its own costs: 26 ms of lookup, 5 ms of queue.
    const later = (stamp: number, by: number) => (stamp === 0 ? 0 : stamp + by);
    const { requestStart, responseStart, finalResponseHeadersStart, responseEnd } = entry;
    return outcome({
      ...entry,
      domainLookupEnd: later(entry.domainLookupEnd, 26),
      connectStart: later(entry.connectStart, 31),
      secureConnectionStart: later(entry.secureConnectionStart, 31),
      connectEnd: later(entry.connectEnd, 31),
      requestStart: later(requestStart, 31),
      responseStart: later(responseStart, 31),
      finalResponseHeadersStart: later(finalResponseHeadersStart ?? 0, 31),
      responseEnd: later(responseEnd, 31),
    });
  });
  const { report, samples } = await runSequence({ ...REQUEST, repetitions: 20 }, browser);
  const { ratios, scenarios, sentence } = sequenceDocument(REQUEST.url, report, samples, ORIGIN);
  expect(scenarios.find(({ scenario }) => scenario === 'https-new')?.phases?.dns?.median).toBe(26);
  const added = ratios.find(({ scenario }) => scenario === 'https-new');
  expect(added?.median?.ms).toBe(40);
  expect(sentence).toMatch(/40 ms when everything is new/);
});

test('what was not measured is null with its reason, and the sentence says so', async () => {
  const { report, samples } = await runSequence(REQUEST, { ...fakeBrowser('chromium'), permitted: async () => false });
  const document = sequenceDocument(REQUEST.url, report, samples, ORIGIN);
  expect(document.scenarios.every(({ phases }) => phases === null)).toBe(true);
  expect(document.ratios.every(({ reason, median }) => reason === 'not_measured' && median === null)).toBe(true);
  // In the order of the probe sequence, whatever was seen first.
  expect(document.ratios.map(({ scenario }) => scenario)).toEqual(Object.keys(DEFAULT_BASELINES));
  expect(document.sentence).toMatch(/is unknown/);
});

test('beside users it says what they pay a request on the whole', () => {
  const ratio = (scenario: string, ms: number, interval: readonly [number, number]) => ({
    scenario,
    median: { ms, ratio: null },
    medianInterval: interval,
  });
  const ratios = [ratio('https-reused', 1.1, [0.8, 1.4]), ratio('https-new', 84.2, [80, 90])];
  expect(overheadSentence({ ratios, clockStepMs: 0.1, reuse: 0.96 })).toBe(
    'On this path HTTPS costs 1.1 ms per request on a reused connection, 84 ms when everything is new; ' +
      'users here reuse 96 % of the time: 4.4 ms a request.',
  );
  expect(overheadSentence({ ratios, clockStepMs: 2, reuse: null })).toMatch(/nothing measurable per request/);
  const faster = [ratio('https-reused', -20, [-50, -3.6]), ratio('https-new', 52, [29, 90])];
  expect(overheadSentence({ ratios: faster, clockStepMs: 0.1, reuse: null })).toBe(
    'On this path HTTPS costs 20 ms less than HTTP per request on a reused connection, 52 ms when everything is new.',
  );
});
