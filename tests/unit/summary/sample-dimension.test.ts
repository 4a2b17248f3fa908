import { expect, test } from 'vitest';
import { dimensionValue } from '../../../collector/reductions/sample-dimension.ts';
import { makeSample } from './make-sample.ts';
import { matchesFilters } from './matches-filters.ts';

const SAMPLE = makeSample({ connection: 'new', origin: { site: '' } });

test('dimensions come from the sample, its origin, or are derived', () => {
  expect(dimensionValue(SAMPLE, 'host')).toBe('erp.example.com');
  expect(dimensionValue(SAMPLE, 'scenario')).toBe('https-new');
  expect(dimensionValue(SAMPLE, 'site')).toBeNull();
  expect(dimensionValue(makeSample(), 'site')).toBe('berlin');
  expect(dimensionValue(makeSample({ connection: 'cache' }), 'scenario')).toBeNull();
});

test('any value of one dimension, all dimensions together', () => {
  expect(matchesFilters(SAMPLE, {})).toBe(true);
  expect(matchesFilters(SAMPLE, { host: ['other.example.com', 'erp.example.com'], scheme: ['https'] })).toBe(true);
  expect(matchesFilters(SAMPLE, { host: ['erp.example.com'], scheme: ['http'] })).toBe(false);
  expect(matchesFilters(SAMPLE, { site: ['berlin'] })).toBe(false);
  expect(matchesFilters(SAMPLE, { scenario: ['https-new'] })).toBe(true);
  expect(matchesFilters(SAMPLE, { host: [] })).toBe(false);
});
