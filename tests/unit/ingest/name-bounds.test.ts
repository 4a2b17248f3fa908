import { expect, test } from 'vitest';
import { createNameBounds } from '../../../collector/ingest/bounds/name-bounds.ts';
import { toBatchColumns } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { NOW, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';
import { batchSamples } from '../wire/batch-samples.ts';

const LIMITS = { otherTargets: 2, otherHosts: 3, templatesPerHost: 2, otherTemplates: 4 };

const named = (target: string, host: string, template: string): Sample => ({ ...PLAIN_SAMPLE, target, host, template });

type Bounds = ReturnType<typeof createNameBounds>;

function bound(bounds: Bounds, samples: readonly Sample[], { now = NOW, key = 'key-1' } = {}): string[] {
  const { columns, folded } = bounds.bound(toBatchColumns(samples), now, key);
  const names = Array.from(batchSamples(columns), ({ target, host, template }) => `${target} ${host}${template}`);
  expect(folded).toBe(names.filter((name) => name.includes('(other)')).length);
  return names;
}

test('within the limits nothing changes', () => {
  const columns = toBatchColumns([named('erp', 'a.test', '/1'), named('erp', 'a.test', '/1')]);
  expect(createNameBounds(LIMITS).bound(columns, NOW, 'key-1')).toEqual({ columns, folded: 0 });
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

test('templates are bounded over all hosts of a target too', () => {
  const bounds = createNameBounds({ ...LIMITS, otherTemplates: 2 });
  const rows = ['a', 'b', 'c'].map((name) => named('erp', `${name}.test`, '/1'));
  expect(bound(bounds, rows)).toEqual(['erp a.test/1', 'erp b.test/1', 'erp c.test(other)']);
  expect(bound(bounds, [named('crm', 'c.test', '/1')])).toEqual(['crm c.test/1']);
});

test('a template that is known at one host is not taken as known at a full one', () => {
  const bounds = createNameBounds(LIMITS);
  bound(bounds, [...['/1', '/2'].map((template) => named('erp', 'a.test', template))]);
  bound(bounds, [...['/3', '/4'].map((template) => named('erp', 'b.test', template))]);
  expect(bound(bounds, [named('erp', 'a.test', '/1'), named('erp', 'b.test', '/1')])).toEqual([
    'erp a.test/1',
    'erp b.test(other)',
  ]);
});

test('one key takes no names from another, and a month none from the next', () => {
  const bounds = createNameBounds({ ...LIMITS, otherHosts: 1 });
  expect(bound(bounds, [named('erp', 'a.test', '/1')])).toEqual(['erp a.test/1']);
  expect(bound(bounds, [named('erp', 'b.test', '/1')])).toEqual(['erp (other)(other)']);
  expect(bound(bounds, [named('erp', 'b.test', '/1')], { key: 'key-2' })).toEqual(['erp b.test/1']);
  expect(bound(bounds, [named('erp', 'b.test', '/1')], { now: NOW + 31 * 86_400_000 })).toEqual(['erp b.test/1']);
});

test('hosts that the settings name keep theirs and have room for templates, whatever was sent before', () => {
  const bounds = createNameBounds(LIMITS);
  const invented = Array.from({ length: 20 }, (_, n) => [
    named(`t${n}`, 'a.test', '/'),
    named('erp', `h${n}.test`, `/${n}`),
    named('erp', 'a.test', `/${n}`),
  ]).flat();
  bounds.configure(new Map([['erp', new Set(['erp.test'])]]));
  bound(bounds, invented);
  expect(bound(bounds, [named('erp', 'erp.test', '/orders'), named('erp', 'cdn.test', '/logo')])).toEqual([
    'erp erp.test/orders',
    'erp (other)(other)',
  ]);
  // A target that is added meanwhile has its names at once.
  bounds.configure(new Map(['erp', 'crm'].map((id) => [id, new Set([`${id}.test`])])));
  expect(bound(bounds, [named('crm', 'crm.test', '/')])).toEqual(['crm crm.test/']);
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
