import { expect, test } from 'vitest';
import { createClientBounds } from '../../../collector/ingest/bounds/network-shares.ts';
import { NOW } from '../wire/arbitrary-sample.ts';

const DAY = 86_400_000;
const SENDER = { key: 'leaked', network: 1 };

test('one network gets half of a key’s limit, another one half of the rest, and a known browser uses none', () => {
  const isAlone = createClientBounds((client) => client === 'known', 8);
  const flood = (network: number, key = 'leaked') =>
    Array.from({ length: 10 }, (_, n) => isAlone(`${key}-${network}-${n}`, NOW, { key, network })).filter(Boolean)
      .length;
  expect(flood(1)).toBe(4);
  expect(flood(2)).toBe(2);
  expect(isAlone('known', NOW, SENDER)).toBe(true);
  expect(isAlone('leaked-1-0', NOW, SENDER)).toBe(true);
  expect(flood(1, 'another')).toBe(4);
});

test('the next day starts over', () => {
  const isAlone = createClientBounds(() => false, 2);
  expect(isAlone('first', NOW, SENDER)).toBe(true);
  expect(isAlone('second', NOW, SENDER)).toBe(false);
  expect(isAlone('second', NOW + DAY, SENDER)).toBe(true);
});
