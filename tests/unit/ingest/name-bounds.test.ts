import { expect, test } from 'vitest';
import { createNameBounds } from '../../../collector/ingest/bounds/name-bounds.ts';
import { batchColumnsOf } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { NOW, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';
import { batchSamples } from '../wire/batch-samples.ts';

const LIMITS = {
  otherTargets: 2,
  hostsPerTarget: 3,
  templatesPerHost: 2,
  hosts: 100,
  configuredTemplates: 100,
  otherTemplates: 6,
  guaranteedHosts: 0,
  guaranteedTemplates: { configured: 0, other: 0 },
};

const named = (target: string, host: string, template: string): Sample => ({ ...PLAIN_SAMPLE, target, host, template });

function bound(bounds: ReturnType<typeof createNameBounds>, samples: readonly Sample[], now = NOW): string[] {
  const { columns } = bounds.bound(batchColumnsOf(samples), now, null);
  return Array.from(batchSamples(columns), ({ target, host, template }) => `${target} ${host}${template}`);
}

test('within the limits nothing changes', () => {
  const columns = batchColumnsOf([named('erp', 'a.test', '/1'), named('erp', 'a.test', '/1')]);
  expect(createNameBounds(LIMITS).bound(columns, NOW, null)).toEqual({ columns, folded: 0 });
});

test('names beyond a limit are folded at that level, and known ones are kept', () => {
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
  const bounds = createNameBounds({ ...LIMITS, otherTemplates: 2 });
  const rows = ['a', 'b', 'c'].map((name) => named('erp', `${name}.test`, '/1'));
  expect(bound(bounds, rows)).toEqual(['erp a.test/1', 'erp b.test/1', 'erp c.test(other)']);
});

test('a template that is known at one host, or was in another month, is not taken as known at a full one', () => {
  const bounds = createNameBounds(LIMITS);
  const send = (rows: readonly Sample[], now = NOW) => bound(bounds, rows, now);
  const known = ['/1', '/2'].map((template) => named('erp', 'a.test', template));
  const full = ['/3', '/4'].map((template) => named('erp', 'b.test', template));
  for (let time = 0; time < 3; time++) {
    expect(send([...known, ...full])).toEqual(['erp a.test/1', 'erp a.test/2', 'erp b.test/3', 'erp b.test/4']);
  }
  expect(send([...known, named('erp', 'b.test', '/1')])).toEqual(['erp a.test/1', 'erp a.test/2', 'erp b.test(other)']);
  const later = NOW + 31 * 86_400_000;
  expect(send([named('erp', 'a.test', '/5'), named('erp', 'a.test', '/6')], later)).toHaveLength(2);
  expect(send(known, later)).toEqual(['erp a.test(other)', 'erp a.test(other)']);
});

test('a new month begins without unconfirmed names', () => {
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
