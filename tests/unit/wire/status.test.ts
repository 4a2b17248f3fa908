import { expect, test } from 'vitest';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { readStatus } from '../../../shared/wire/read-status.ts';
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
    dropped: { full: 1.5, invalid_batch: 2, '<img src=x>': 3, __proto__: { x: 1 }, 'two words': 1 },
    lost: 'many',
    turns: [
      turn,
      { ...turn, probe: '../x' },
      { ...turn, at: 1e300 },
      { ...turn, skipped: 'tired' },
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

test('a status of any length takes little room', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`reason_${i}`, 1]));
  const turns = Array.from({ length: 1000 }, () => STATUS.turns[0]);
  const read = readStatus({ ...STATUS, dropped: many, turns });
  expect(Object.keys(read?.dropped ?? {})).toHaveLength(50);
  expect(read?.turns).toHaveLength(50);
});
