import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readStatus } from '../../../collector/ingest/decode/read-status.ts';
import { BREAK_REASONS } from '../../../shared/vocabulary/break-reasons.ts';
import { BROWSER_ERRORS } from '../../../shared/vocabulary/browser-errors.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { DROPPED_REASONS, LOST_REASONS, PROBE_REASONS } from '../../../shared/wire/status-words.ts';
import { IGNORED_VALUES, ROW_CODES } from '../../../shared/wire/wire-codes.ts';
import { BATCH_ID, NOW, ORIGIN, PLAIN_SAMPLE } from './arbitrary-sample.ts';
import { decodeToSamples } from './decode-to-samples.ts';
import { STATUS } from './status-fixture.ts';

const sent = (status: unknown) =>
  decodeToSamples({ ...encodeBatch(ORIGIN, BATCH_ID, NOW, [PLAIN_SAMPLE]), status }, NOW);

test('a status comes back as it was sent, beside the rows', () => {
  const batch = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, [PLAIN_SAMPLE], STATUS))) as unknown;
  expect(decodeToSamples(batch, NOW)).toMatchObject({ ok: true, status: STATUS, samples: [PLAIN_SAMPLE] });
});

test('an older extension says nothing of itself', () => {
  expect(encodeBatch(ORIGIN, BATCH_ID, NOW, [])).not.toHaveProperty('status');
  expect(sent(undefined)).toMatchObject({ ok: true, status: null });
});

test.each([
  ['no object', 'degraded'],
  ['a list', []],
  ['an unknown state', { ...STATUS, state: 'fine' }],
])('%s is no status, and costs no row', (_name, status) => {
  expect(sent(status)).toMatchObject({ ok: true, status: null, rejected: [], samples: [PLAIN_SAMPLE] });
});

test('what cannot be read of a status is left out, and the rest kept', () => {
  const [turn] = STATUS.turns;
  const read = readStatus({
    ...STATUS,
    waiting: -1,
    dropped: { full: 1.5, invalid_batch: 2 },
    lost: 'many',
    turns: [
      turn,
      { ...turn, probe: '../x' },
      { ...turn, at: 1e300 },
      { ...turn, skipped: 5 },
      {
        ...turn,
        scenarios: [
          { scenario: 'https-new', kept: 1 },
          { scenario: 'gopher', kept: 1 },
        ],
        steps: 'x',
      },
      null,
    ],
  });
  expect(read).toEqual({
    ...STATUS,
    waiting: 0,
    dropped: { invalid_batch: 2 },
    lost: {},
    turns: [
      turn,
      {
        ...turn,
        scenarios: [{ scenario: 'https-new', method: null, kept: 1, discarded: {}, unavailable: null }],
        steps: [],
      },
    ],
  });
});

test('words that this version does not know are counted together under one name', () => {
  const own = JSON.parse('{"full":1,"solar_flare":2,"<img src=x>":3,"__proto__":4,"constructor":5}') as object;
  const scenario = {
    scenario: 'https-new',
    method: 'telepathy',
    kept: 0,
    discarded: { not_new: 1, status_500: 2, status_999: 3, 'error:net::ERR_CONNECTION_RESET': 4, 'error:MADE_UP': 5 },
    unavailable: 'mood',
  };
  const turn = { probe: 'logo', target: 'erp', at: NOW, skipped: null, scenarios: [scenario], steps: [] };
  const script = { ...turn, scenarios: [], steps: [null, 'tired', null] };
  const skipped = { ...turn, scenarios: [], skipped: 'full_moon' };
  const read = readStatus({
    ...STATUS,
    dropped: own,
    rejected: own,
    lost: own,
    ignored: own,
    turns: [turn, script, skipped],
  });
  expect(read).toEqual({
    ...STATUS,
    dropped: { full: 1, '(other)': 14 },
    rejected: { '(other)': 15 },
    lost: { '(other)': 15 },
    ignored: { '(other)': 15 },
    turns: [
      {
        ...turn,
        scenarios: [
          {
            scenario: 'https-new',
            method: '(other)',
            kept: 0,
            discarded: {
              not_new: 1,
              status_500: 2,
              '(other)': 3,
              'error:net::ERR_CONNECTION_RESET': 4,
              'error:other': 5,
            },
            unavailable: '(other)',
          },
        ],
      },
      // A step that failed is the last one.
      { ...script, steps: [null, '(other)'] },
      { ...skipped, skipped: '(other)' },
    ],
  });
});

test('every word that the extension says comes back as it was said', () => {
  const counted = (words: readonly string[]) => Object.fromEntries(words.map((word, i) => [word, i + 1]));
  const reasons = [...PROBE_REASONS, ...BROWSER_ERRORS.map((code) => `error:${code}`), 'status_404'];
  const turns = reasons.map((reason, i) => ({
    probe: 'login',
    target: 'erp',
    at: NOW + i,
    skipped: null,
    scenarios: [],
    steps: [reason],
  }));
  const status = {
    ...STATUS,
    dropped: counted(DROPPED_REASONS),
    rejected: counted(ROW_CODES),
    lost: counted(LOST_REASONS),
    ignored: counted(IGNORED_VALUES),
  };
  for (let first = 0; first < turns.length; first += 50) {
    const some = { ...status, turns: turns.slice(first, first + 50) };
    expect(readStatus(some)).toEqual(some);
  }
});

test('the words of this list are those that the extension and the core use', async () => {
  const source = async (file: string) => await readFile(file, 'utf8');
  const core = await source('shared/sample/make-sample.ts');
  const none = /export type NoSampleReason =([^;]*);/.exec(core)?.[1] ?? '';
  expect([...none.matchAll(/\| '(\w+)'/g)].map(([, word]) => word)).toEqual(LOST_REASONS.slice(0, -2));
  const words = await source('shared/vocabulary/probe-words.ts');
  const typed = ['DiscardReason', 'UnavailableReason', 'StepReason'].flatMap((name) => {
    const body = new RegExp(`export type ${name} =([^;]*);`).exec(words)?.[1] ?? '';
    return [...body.matchAll(/\| '(\w+)'/g)].map(([, word]) => word);
  });
  expect(new Set([...typed, ...BREAK_REASONS])).toEqual(new Set(PROBE_REASONS));
});

test('a status takes little room, whatever is sent', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`reason_${i}`, 1]));
  const statuses = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`status_${100 + i}`, 600 - i]));
  const longest = [...BROWSER_ERRORS].sort((a, b) => b.length - a.length).map((code) => `error:${code}`);
  const discarded = Object.fromEntries(longest.map((reason) => [reason, Number.MAX_SAFE_INTEGER]));
  const scenarios = ['https-new', 'https-new', 'https-new', 'https-new', 'https-new'].map((scenario) => ({
    scenario,
    method: 'credentialless_frame',
    kept: Number.MAX_SAFE_INTEGER,
    discarded,
    unavailable: longest[0],
  }));
  const turn = { probe: 'p'.repeat(63), target: 't'.repeat(63), at: 8.64e15, skipped: null, scenarios, steps: longest };
  const turns = Array.from({ length: 1000 }, () => turn);
  const read = readStatus({ ...STATUS, dropped: many, rejected: { ...many, ...statuses }, lost: statuses, turns });
  expect(read?.dropped).toEqual({ '(other)': 1000 });
  expect(read?.turns).toHaveLength(50);
  expect(Object.keys(read?.turns[0]?.scenarios[0]?.discarded ?? {})).toHaveLength(9);
  expect(read?.turns[0]?.steps).toEqual([]);
  const bytes = JSON.stringify(read).length;
  expect(bytes).toBeLessThan(180_000);
  const text = 'x'.repeat(200);
  const page = {
    title: text,
    url: text,
    status: 200,
    consoleErrors: 1e15,
    failedRequests: 1e15,
    nearest: Array(10).fill({ role: text, name: text }),
  };
  const broke = { step: 200, reason: 'redirect_loop', detail: text, lookedFor: Array(10).fill(text), page };
  const journey = {
    ...turn,
    scenarios: [],
    steps: [...Array(199).fill(null), longest[0]],
    stepTimes: Array(200).fill(2 ** 53 - 1),
    broke,
  };
  const journeys = readStatus({ ...STATUS, turns: Array(1000).fill(journey) });
  expect(journeys?.turns[0]?.broke).toEqual(broke);
  expect(JSON.stringify(journeys).length).toBeLessThan(620_000);
  expect(
    readStatus({ ...STATUS, turns: [{ ...journey, broke: { ...broke, detail: `${text}x` } }] })?.turns[0],
  ).not.toHaveProperty('broke');
  const [one] =
    readStatus({ ...STATUS, turns: [{ ...turn, scenarios: [{ ...scenarios[0], discarded: statuses }] }] })?.turns ?? [];
  // The largest stay by name, and none is lost.
  const counted = one?.scenarios[0]?.discarded ?? {};
  expect(counted).toMatchObject({ status_100: 600, status_107: 593 });
  expect(Object.values(counted).reduce((sum, n) => sum + n, 0)).toBe((600 * 601 - 100 * 101) / 2);
});
