import { expect, test } from 'vitest';
import { createNameBounds } from '../../../collector/ingest/name-bounds.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { batchColumnsOf, batchSamples } from '../../../shared/wire/batch-samples.ts';
import { NOW, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';

const LIMITS = { targets: 2, hostsPerTarget: 3, templatesPerHost: 2, templates: 6 };

const named = (target: string, host: string, template: string): Sample => ({ ...PLAIN_SAMPLE, target, host, template });

function bound(bounds: ReturnType<typeof createNameBounds>, samples: readonly Sample[], now = NOW): string[] {
  const columns = bounds.bound(batchColumnsOf(samples), now);
  return Array.from(batchSamples(columns), ({ target, host, template }) => `${target} ${host}${template}`);
}

test('within the limits nothing is touched', () => {
  const columns = batchColumnsOf([named('erp', 'a.test', '/1'), named('erp', 'a.test', '/1')]);
  expect(createNameBounds(LIMITS).bound(columns, NOW)).toBe(columns);
});

test('what lies beyond is folded where it is too many, and what was known before keeps its name', () => {
  const bounds = createNameBounds(LIMITS);
  bound(bounds, [named('erp', 'a.test', '/1'), named('erp', 'b.test', '/1'), named('erp', 'c.test', '/1')]);
  expect(
    bound(bounds, [
      named('erp', 'd.test', '/1'),
      named('erp', 'a.test', '/2'),
      named('erp', 'a.test', '/3'),
      named('erp', 'a.test', '/1'),
      named('crm', 'd.test', '/1'),
      named('shop', 'a.test', '/1'),
    ]),
  ).toEqual([
    'erp (other)(other)',
    'erp a.test/2',
    'erp a.test(other)',
    'erp a.test/1',
    'crm d.test/1',
    '(other) (other)(other)',
  ]);
});

test('templates are bounded over all hosts too', () => {
  const bounds = createNameBounds({ ...LIMITS, templates: 2 });
  const rows = ['a', 'b', 'c'].map((name) => named('erp', `${name}.test`, '/1'));
  expect(bound(bounds, rows)).toEqual(['erp a.test/1', 'erp b.test/1', 'erp c.test(other)']);
});

test('a new month begins with no names', () => {
  const bounds = createNameBounds({ ...LIMITS, hostsPerTarget: 1 });
  expect(bound(bounds, [named('erp', 'a.test', '/1')])).toEqual(['erp a.test/1']);
  expect(bound(bounds, [named('erp', 'b.test', '/1')])).toEqual(['erp (other)(other)']);
  expect(bound(bounds, [named('erp', 'b.test', '/1')], NOW + 31 * 86_400_000)).toEqual(['erp b.test/1']);
});

test('ten thousand invented hosts leave as many as the limit', () => {
  const bounds = createNameBounds();
  const hosts = new Set<string>();
  for (let batch = 0; batch < 20; batch++) {
    const rows = Array.from({ length: 500 }, (_, row) => named('erp', `h${batch}-${row}.test`, '/'));
    for (const line of bound(bounds, rows)) hosts.add(line);
  }
  expect(hosts.size).toBe(501);
});
