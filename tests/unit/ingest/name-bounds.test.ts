import { expect, test } from 'vitest';
import { createNameBounds } from '../../../collector/ingest/bounds/name-bounds.ts';
import { batchColumnsOf } from '../../../collector/ingest/decode/decode-batch.ts';
import type { Sample } from '../../../shared/sample/sample.ts';
import { TEXT_INDEX } from '../../../shared/sample/sample-columns.ts';
import { NOW, PLAIN_SAMPLE } from '../wire/arbitrary-sample.ts';
import { batchSamples } from '../wire/batch-samples.ts';
import { bytesColumnsOf } from '../wire/read-columns-of.ts';

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

function bound(
  bounds: ReturnType<typeof createNameBounds>,
  samples: readonly Sample[],
  now = NOW,
  columnsOf = batchColumnsOf,
): string[] {
  const { columns } = bounds.bound(columnsOf(samples), now, null);
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

test('a template that was interned at one host, or in another month, is not taken as known at a full one', () => {
  const bounds = createNameBounds(LIMITS);
  const send = (rows: readonly Sample[], now = NOW) => bound(bounds, rows, now, bytesColumnsOf);
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

test('once the intern table is cleared, names remembered by its numbers are forgotten too', () => {
  const bounds = createNameBounds({ ...LIMITS, templatesPerHost: 1 });
  const send = (rows: readonly Sample[]) => bound(bounds, rows, NOW, bytesColumnsOf);
  const numbersOf = (rows: readonly Sample[]) => bytesColumnsOf(rows).texts[TEXT_INDEX.template]?.numbers?.of ?? [];
  const fresh = (batch: number) => Array.from({ length: 900 }, (_, n) => named('erp', 'a.test', `/new-${batch}-${n}`));
  // The batch in which it is cleared has no numbers; the known name must not get one of that batch.
  numbersOf(fresh(0));
  const known = [named('erp', 'a.test', '/known')];
  for (let time = 0; time < 2; time++) send(known);
  const [number] = numbersOf(known);
  // More than it holds, until another name has the number.
  const heir = Array.from({ length: 45 }, (_, batch) => fresh(batch + 1)).flatMap((rows) => {
    const place = numbersOf(rows).indexOf(number ?? -1);
    return place < 0 ? [] : rows.slice(place, place + 1);
  });
  expect(heir).toHaveLength(1);
  expect(numbersOf(heir)).toEqual([number]);
  expect(send(heir)).toEqual(['erp a.test(other)']);
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
