import { expect, test } from 'vitest';
import { harEntry } from '../../../collector/exchange/export/har-format.ts';
import { ORIGIN, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

test('half of a surrogate pair in an old template does not stop the export', () => {
  const entry = harEntry({ ...PLAIN_SAMPLE, origin: ORIGIN, template: '/orders/\ud800' }, new Set());
  expect(entry.request.url).toBe('https://erp.example.com/orders/%EF%BF%BD');
});
