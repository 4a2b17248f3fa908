import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NameSender } from '../../collector/ingest/bounds/confirmations.ts';
import { createNameBounds, type NameBounds, type NameLimits } from '../../collector/ingest/bounds/name-bounds.ts';
import type { Sample } from '../../shared/sample/sample.ts';
import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { NOW, PLAIN_SAMPLE } from '../unit/wire/arbitrary-sample.ts';
import { batchSamples } from '../unit/wire/batch-samples.ts';
import { columnsOf } from '../unit/wire/read-columns-of.ts';

const MONTH_MS = 31 * 86_400_000;
const CONFIGURED = new Map([['erp', new Set(['erp.test'])]]);
/** Enough for five different bits of a name's bitmap. */
const FLEET = Array.from({ length: 20 }, (_, n) => `client-${n}`);

const named = (target: string, host: string, template: string): Sample => ({ ...PLAIN_SAMPLE, target, host, template });

interface Sent {
  readonly key?: string;
  readonly client?: string;
  readonly now?: number;
  /** Known to the collector for a day, or counted because few are. */
  readonly counts?: boolean;
}

function send(
  bounds: NameBounds,
  samples: readonly Sample[],
  { key = 'key', client = 'attacker', now = NOW, counts = true }: Sent = {},
): string[] {
  const { columns, folded } = bounds.bound(columnsOf(samples), now, new NameSender(key, client, () => counts));
  const names = Array.from(batchSamples(columns), ({ target, host, template }) => `${target} ${host}${template}`);
  expect(folded).toBe(names.filter((name) => name.includes(OVERFLOW_NAME)).length);
  return names;
}

function configured(limits?: NameLimits): NameBounds {
  const bounds = createNameBounds(limits);
  bounds.configure(CONFIGURED);
  return bounds;
}

const invented = (count: number, name: (n: number) => Sample) => Array.from({ length: count }, (_, n) => name(n));

describe('names of an attacker with an ingest key', () => {
  test('three batches of invented names fold no configured target, host or template', () => {
    const bounds = configured();
    send(
      bounds,
      invented(5_000, (n) => named(`target-${n}`, 'a.test', '/')),
    );
    send(
      bounds,
      invented(5_000, (n) => named('erp', `h${n}.test`, '/')),
    );
    send(
      bounds,
      invented(5_000, (n) => named('erp', 'erp.test', `/invented-${n}`)),
    );
    expect(send(bounds, [named('erp', 'erp.test', '/orders')], { client: 'honest' })).toEqual(['erp erp.test/orders']);
    expect(send(bounds, [named('erp', 'cdn.test', '/logo')], { client: 'honest' })).toEqual(['erp cdn.test/logo']);
  });

  test('names that several browsers sent before stay, and another key can still add names', () => {
    const bounds = configured();
    const known = [named('erp', 'cdn.test', '/logo'), named('erp', 'erp.test', '/orders')];
    for (const client of FLEET) send(bounds, known, { client });
    for (let batch = 0; batch < 20; batch++) {
      const client = `invented-${batch}`;
      send(
        bounds,
        invented(1_000, (n) => named('erp', `h${n}.test`, '/')),
        { client },
      );
      send(
        bounds,
        invented(5_000, (n) => named('erp', 'erp.test', `/${n}`)),
        { client },
      );
      send(
        bounds,
        invented(1_000, (n) => named('erp', 'cdn.test', `/${n}`)),
        { client },
      );
    }
    expect(send(bounds, known, { client: 'honest' })).toEqual(['erp cdn.test/logo', 'erp erp.test/orders']);
    const fresh = [named('erp', 'new.test', '/'), named('erp', 'erp.test', '/new')];
    expect(send(bounds, fresh, { client: 'honest', key: 'other' })).toEqual(['erp new.test/', 'erp erp.test/new']);
  });

  test('a set full of names from one browser each still accepts names that several browsers send', () => {
    const bounds = configured();
    for (let client = 0; client < 500; client++) {
      send(bounds, [named('erp', `h${client}.test`, '/')], { client: `invented-${client}` });
    }
    const honest = FLEET.map((client) => send(bounds, [named('erp', 'cdn.test', '/logo')], { client })[0]);
    expect(honest[0]).toBe('erp (other)(other)');
    expect(honest.at(-1)).toBe('erp cdn.test/logo');
  });

  test('at most twice the names that a key may have are stored in a month', () => {
    const bounds = configured();
    const stored = new Set<string>();
    for (let round = 0; round < 30; round++) {
      for (const client of FLEET) {
        const rows = invented(100, (n) => named('erp', `r${round}-${n}.test`, '/'));
        for (const name of send(bounds, rows, { client })) stored.add(name);
      }
    }
    expect(stored.size).toBeLessThanOrEqual(2 * 500 + 1);
    expect(bounds.size().hosts).toBeLessThanOrEqual(501);
  });

  test('browsers that are new to the collector confirm nothing, and established ones displace their names', () => {
    const bounds = configured();
    const hosts = invented(1_000, (n) => named('erp', `h${n}.test`, '/'));
    const templates = invented(2_000, (n) => named('erp', 'erp.test', `/evil/${n}`));
    for (let n = 0; n < 64; n++) send(bounds, [...hosts, ...templates], { client: `new-${n}`, counts: false });
    const fresh = [named('erp', 'cdn.test', '/logo'), named('erp', 'erp.test', '/orders')];
    const before = FLEET.slice(0, 4).map((client) => send(bounds, fresh, { client }));
    expect(before[0]).toEqual(['erp (other)(other)', 'erp erp.test(other)']);
    for (const client of FLEET) send(bounds, fresh, { client });
    for (let n = 0; n < 64; n++) send(bounds, [...hosts, ...templates], { client: `newer-${n}`, counts: false });
    expect(send(bounds, fresh, { client: 'honest' })).toEqual(['erp cdn.test/logo', 'erp erp.test/orders']);
  });

  test('names that use up the total in other sets keep no confirmed name out', () => {
    const bounds = createNameBounds({ ...SMALL, otherTemplates: 4 });
    bounds.configure(CONFIGURED);
    const elsewhere = invented(4, (n) => named('erp', `h${n % 2}.test`, `/${n}`));
    send(bounds, elsewhere, { client: 'new', counts: false });
    const fresh = [named('erp', 'cdn.test', '/1'), named('erp', 'cdn.test', '/2')];
    for (const client of FLEET) send(bounds, fresh, { client });
    expect(send(bounds, fresh, { client: 'honest' })).toEqual(['erp cdn.test/1', 'erp cdn.test/2']);
  });

  test('once confirmations are in doubt, names stay until others are confirmed', () => {
    const bounds = configured();
    const evil = invented(1_000, (n) => named('erp', 'erp.test', `/evil/${n}`));
    for (const client of FLEET) send(bounds, evil, { client });
    const fresh = [named('erp', 'erp.test', '/orders')];
    for (const client of FLEET) send(bounds, fresh, { client });
    expect(send(bounds, fresh)).toEqual(['erp erp.test(other)']);
    bounds.doubtConfirmed();
    expect(send(bounds, evil, { counts: false }).some((name) => name.includes(OVERFLOW_NAME))).toBe(false);
    for (const client of FLEET) send(bounds, fresh, { client });
    expect(send(bounds, fresh)).toEqual(['erp erp.test/orders']);
    expect(send(bounds, evil, { counts: false }).filter((name) => name.includes(OVERFLOW_NAME))).toHaveLength(1);
  });

  test('confirmed names are kept for the next month, and go with it unless they are confirmed again', () => {
    const bounds = configured();
    const hosts = invented(400, (n) => named('erp', `h${n}.test`, '/'));
    for (const client of FLEET) send(bounds, hosts, { client });
    const held = bounds.size().hosts;
    expect(held).toBeGreaterThan(300);
    send(bounds, [named('erp', 'one.test', '/')], { now: NOW + MONTH_MS });
    expect(bounds.size().hosts).toBe(held + 1);
    send(bounds, [named('erp', 'h0.test', '/')], { now: NOW + 2 * MONTH_MS });
    expect(bounds.size().hosts).toBe(2); // that and the configured one
  });

  test('last month’s names that new browsers sent first are confirmed again by established browsers', () => {
    const bounds = configured();
    const known = [named('erp', 'erp.test', '/orders')];
    for (const client of FLEET) send(bounds, known, { client });
    for (const client of FLEET) send(bounds, known, { client, now: NOW + MONTH_MS, counts: false });
    const room = bounds.size();
    for (const client of FLEET) send(bounds, known, { client, now: NOW + MONTH_MS });
    send(bounds, [named('erp', 'erp.test', '/other')], { now: NOW + 2 * MONTH_MS });
    expect(bounds.size().templates).toBe(room.templates + 1);
  });

  test('names of the settings use up no space of others', () => {
    const bounds = createNameBounds({ ...SMALL, hostsPerTarget: 2, hosts: 2, guaranteedHosts: 0 });
    bounds.configure(new Map([['erp', new Set(['a.test', 'b.test', 'c.test', 'd.test'])]]));
    expect(send(bounds, [named('erp', 'cdn.test', '/'), named('erp', 'd.test', '/')])).toEqual([
      'erp cdn.test/',
      'erp d.test/',
    ]);
  });

  test('names removed from the settings get no special treatment, and new ones are kept at once', () => {
    const bounds = configured();
    for (const client of FLEET)
      send(
        bounds,
        invented(500, (n) => named('crm', `h${n}.test`, '/')),
        { client },
      );
    bounds.configure(new Map([['crm', new Set(['crm.test'])]]));
    expect(send(bounds, [named('crm', 'crm.test', '/')])).toEqual(['crm crm.test/']);
    const { targets } = bounds.size();
    bounds.configure(CONFIGURED);
    expect(bounds.size().targets).toBe(targets);
    expect(send(bounds, [named('erp', 'erp.test', '/'), named('crm', 'crm.test', '/')])).toEqual([
      'erp erp.test/',
      'crm crm.test/',
    ]);
  });
});

const SMALL: NameLimits = {
  otherTargets: 2,
  hostsPerTarget: 4,
  templatesPerHost: 4,
  hosts: 10,
  configuredTemplates: 12,
  otherTemplates: 10,
  guaranteedHosts: 1,
  guaranteedTemplates: { configured: 2, other: 1 },
};
/** Every name in every set: confirmed ones may exceed a total twofold; then each set holds its guaranteed names. */
const MOST = { targets: 1 + 4, hosts: 1 + 2 * 10 + 5, templates: 2 * 12 + 2 + 2 * 10 + 26 };

const word = (prefix: string, most: number) => fc.integer({ min: 0, max: most }).map((n) => `${prefix}${n}`);
const row = fc
  .tuple(
    fc.oneof(fc.constant('erp'), word('t', 6)),
    fc.oneof(fc.constantFrom('erp.test', 'cdn.test'), word('h', 30)),
    word('/', 30),
  )
  .map(([target, host, template]) => named(target, host, template));
const attack = fc.array(
  fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 40 }),
    client: word('c', 40),
    key: fc.constantFrom('key', 'key', 'key', 'other'),
    again: fc.integer({ min: 1, max: 8 }),
  }),
  { maxLength: 60 },
);

test('whatever is sent, configured and confirmed names are never folded, and memory is bounded', () => {
  fc.assert(
    fc.property(attack, (batches) => {
      const bounds = createNameBounds(SMALL);
      bounds.configure(CONFIGURED);
      const known = [named('erp', 'erp.test', '/orders'), named('erp', 'cdn.test', '/logo')];
      for (const client of FLEET) send(bounds, known, { client });
      for (const { rows, client, key, again } of batches) {
        for (let time = 0; time < again; time++) send(bounds, rows, { client: `${client}-${time}`, key });
        const { targets, hosts, templates } = bounds.size();
        expect(targets).toBeLessThanOrEqual(MOST.targets);
        expect(hosts).toBeLessThanOrEqual(MOST.hosts);
        expect(templates).toBeLessThanOrEqual(MOST.templates);
        expect(send(bounds, known, { client: 'honest' })).toEqual(['erp erp.test/orders', 'erp cdn.test/logo']);
        // Its template may be folded: it is unconfirmed.
        expect(send(bounds, [named('erp', 'erp.test', '/new')], { client: 'honest' })[0]).toMatch(/^erp erp\.test/);
      }
    }),
    { seed: 18, numRuns: 200 },
  );
});
