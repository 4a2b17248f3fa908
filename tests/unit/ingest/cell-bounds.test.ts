import { expect, test } from 'vitest';
import { createCellBounds } from '../../../collector/ingest/bounds/cell-bounds.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import type { BatchColumns } from '../../../collector/storage/columns/batch-columns.ts';
import { TEXT_INDEX, type TextName } from '../../../shared/sample/sample-columns.ts';
import { RESOURCE_TYPES } from '../../../shared/vocabulary/vocabulary.ts';
import { NOW, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const NEXT_MONTH = Date.UTC(new Date(NOW).getUTCFullYear(), new Date(NOW).getUTCMonth() + 1);
const SENDER = { key: 'key-1', network: 1 };

/** Rows of different cells. */
function rows(count: number, host = 'erp.example.com'): BatchColumns {
  const types = RESOURCE_TYPES.slice(0, count);
  return toBatchColumns(types.map((type) => ({ ...PLAIN_SAMPLE, host, type })));
}

function words(columns: BatchColumns | null, name: TextName): (string | null)[] {
  const text = columns?.texts[TEXT_INDEX[name]];
  return Array.from(text?.codes ?? [], (code) => text?.strings[code] ?? null);
}

test('rows within the limit stay the same', () => {
  const bound = createCellBounds(20);
  const columns = rows(10);
  expect(bound(columns, 'Ulm', NOW, SENDER)).toEqual({ columns, coarse: null });
  expect(bound(columns, 'Ulm', NOW, SENDER).columns).toBe(columns);
});

test('beyond the limit a row keeps its small dimensions and its numbers', () => {
  const bound = createCellBounds(10);
  const { columns, coarse } = bound(rows(8), 'Ulm', NOW, SENDER);
  expect(words(columns, 'type')).toEqual(RESOURCE_TYPES.slice(0, 5));
  expect(words(coarse, 'type')).toEqual(RESOURCE_TYPES.slice(5, 8));
  for (const name of ['target', 'host', 'template', 'protocol'] as const) {
    expect(words(coarse, name)).toEqual(['(other)', '(other)', '(other)']);
  }
  expect(words(coarse, 'connection')).toEqual(words(rows(3), 'connection'));
  expect(words(coarse, 'handshake')).toEqual(['unknown', 'unknown', 'unknown']);
  expect(coarse?.numbers.map((column) => column?.length ?? 3)).toEqual(coarse?.numbers.map(() => 3));
  // Known cells cost nothing.
  expect(bound(rows(5), 'Ulm', NOW, SENDER).coarse).toBeNull();
});

test('an unknown protocol stays unknown', () => {
  const { coarse } = createCellBounds(0)(
    toBatchColumns([PLAIN_SAMPLE, { ...PLAIN_SAMPLE, protocol: null }]),
    '',
    NOW,
    SENDER,
  );
  expect(words(coarse, 'protocol')).toEqual(['(other)', null]);
});

test('each site, target and host has cells of its own', () => {
  const bound = createCellBounds(20);
  const sizes = [
    bound(rows(4), 'Ulm', NOW, SENDER),
    bound(rows(4), 'Bonn', NOW, SENDER),
    bound(rows(4, 'crm.example.com'), 'Ulm', NOW, SENDER),
  ].map(({ columns }) => columns.n);
  expect(sizes).toEqual([4, 4, 2]);
});

test('a network leaves cells to others, a key to other keys, and a month to the next', () => {
  const bound = createCellBounds(8);
  const kept = (host: string, key: string, network: number, now = NOW) =>
    bound(rows(10, host), '', now, { key, network }).columns.n;
  expect(kept('a.example.com', 'key-1', 1)).toBe(4);
  expect(kept('b.example.com', 'key-1', 2)).toBe(2);
  expect(kept('c.example.com', 'key-1', 3)).toBe(1);
  expect(kept('d.example.com', 'key-2', 1)).toBe(4);
  for (const network of [2, 3, 4]) kept(`e${network}.example.com`, 'key-2', network);
  expect(kept('f.example.com', 'key-3', 1)).toBe(1);
  expect(kept('g.example.com', 'key-4', 1)).toBe(0);
  expect(kept('d.example.com', 'key-4', 1)).toBe(4);
  expect(kept('g.example.com', 'key-4', 1, NEXT_MONTH)).toBe(4);
});
