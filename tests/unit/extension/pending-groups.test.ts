import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryIntake } from '../../../extension/background/entry-intake.ts';
import type { LocalState } from '../../../extension/background/local-state.ts';
import { drainPending, type PageStorage } from '../../../extension/background/pending-groups.ts';
import { RequestLog } from '../../../extension/background/request-log.ts';
import { StateStore } from '../../../extension/background/state-store.ts';
import { type EntryGroup, type PackedGroup, readGroup } from '../../../extension/packed-group.ts';
import type { TimingEntry } from '../../../shared/timing/timing-entry.ts';
import { encodeBatch } from '../../../shared/wire/encode-batch.ts';
import { rounds } from '../../rounds.ts';
import { ENTRY_NAMES, entryWith, packEntry } from '../timing/entries.ts';
import { BATCH_ID, ORIGIN } from '../wire/arbitrary-sample.ts';
import { decodeToSamples } from '../wire/decode-to-samples.ts';
import { MemoryQueue, memoryStorage } from './fakes.ts';

const NOW = Date.UTC(2026, 0, 15);

function packed(changes: Partial<TimingEntry> = {}): unknown[] {
  return [...packEntry(entryWith({ name: 'https://app.test/x', ...changes }))];
}

function group(id: string, changes: Partial<PackedGroup> = {}): PackedGroup {
  return {
    kind: 'entries',
    id,
    page: 'https://app.test/start',
    origin: 'https://app.test',
    activationStart: 0,
    top: true,
    timeOrigin: NOW,
    entries: JSON.stringify([packed()]),
    dropped: 0,
    ...changes,
  };
}

async function drain(storage: PageStorage, take: (group: EntryGroup) => Promise<void> = async () => {}) {
  const [taken, lost]: [EntryGroup[], number[]] = [[], []];
  const drained = drainPending(
    storage,
    async (each) => {
      taken.push(each);
      await take(each);
    },
    async ({ malformed }) => void lost.push(malformed),
  );
  await drained.catch(() => {}); // each test that expects a failure looks at what stays
  return { taken, lost };
}

test('groups that pages left are passed on and removed; a failing one stays and does not stop the others', async () => {
  const storage = memoryStorage({ 'pending/a-0': group('a-0'), 'pending/a-1': group('a-1') });
  const { taken, lost } = await drain(storage, async ({ id }) => {
    if (id === 'a-0') throw new Error('the disk is full');
  });
  expect(taken.map(({ id }) => id)).toEqual(['a-0', 'a-1']);
  expect(taken[1]?.entries[0]).toMatchObject({ entry: { name: 'https://app.test/x' }, hidden: false, seenAt: 393 });
  expect([lost, Object.keys(storage.all())]).toEqual([[0], ['pending/a-0']]);
});

test.each<[string, string, unknown]>([
  ['a state that older versions kept there', 'enrolment', { collector: 'https://evil.test', key: 'k' }],
  ['nothing', 'pending/a-0', null],
  ['a number', 'pending/a-0', 7],
  ['another message', 'pending/a-0', { kind: 'enrol', collector: 'https://evil.test', key: '', site: '' }],
  ['another id than its key', 'pending/a-0', group('a-1')],
  ['an id that is none', 'pending/../a', group('../a')],
  ['no address', 'pending/a-0', group('a-0', { page: 'app.test' })],
  ['another origin than its page', 'pending/a-0', group('a-0', { origin: 'https://other.test' })],
  ['entries that are no JSON', 'pending/a-0', group('a-0', { entries: '[' })],
  ['entries that are no list', 'pending/a-0', group('a-0', { entries: '{}' })],
  ['more entries than a page sends at once', 'pending/a-0', group('a-0', { entries: `[${Array(501).fill(0)}]` })],
  ['a time that is none', 'pending/a-0', group('a-0', { timeOrigin: Number.NaN })],
  ['a fraction of an entry', 'pending/a-0', group('a-0', { dropped: 0.5 })],
  ['megabytes', 'pending/a-0', group('a-0', { page: `https://app.test/${'x'.repeat(5_000_000)}` })],
])('%s is removed and counted', async (_, key, value) => {
  const storage = memoryStorage({ [key]: value, 'pending/b-0': group('b-0') });
  const { taken, lost } = await drain(storage);
  expect([taken.map(({ id }) => id), lost, storage.all()]).toEqual([['b-0'], [1], {}]);
});

test('what is too much is removed without being read: in number and in bytes', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_050 }, (_, n) => [`pending/a-${n}`, group(`a-${n}`)]));
  const first = await drain(memoryStorage(many));
  expect([first.taken.length, first.lost]).toEqual([10_000, [50]]);
  const large = (n: number) => group(`a-${n}`, { entries: JSON.stringify([packed(), 'x'.repeat(3_900_000)]) });
  const storage = memoryStorage(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`pending/a-${n}`, large(n)])));
  let read = 0;
  const get = storage.get.bind(storage);
  storage.get = (key) => {
    read++;
    return get(key);
  };
  const { taken, lost } = await drain(storage);
  // Each of the four that fit has an entry that is none.
  expect([taken.length, read, lost, storage.all()]).toEqual([4, 4, [2 + 4], {}]);
});

test('an entry that is none costs itself alone', () => {
  const entries = [
    packed(),
    packed({ name: 'not an address' }),
    packed({ startTime: 2 ** 60 }),
    packed({ nextHopProtocol: 7 as never }),
    packed({ serverTiming: [null] as never }),
    packed({ serverTiming: [{ name: 'app', duration: null as never, description: '' }] }),
    [...packed(), 1],
    'entry',
    null,
  ];
  const read = readGroup(group('a-0', { entries: JSON.stringify(entries) }));
  expect([read?.group.entries.length, read?.malformed]).toEqual([2, 7]);
});

/** Values of any type under the names of a group, in part as they should be. */
function hostileGroups(): fc.Arbitrary<unknown> {
  const some = fc.oneof(
    fc.anything({ maxDepth: 1 }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom('', 'https://app.test/a?b#c', 'https://[::1]', 'h2', '\ud800', true, null),
  );
  const entry = fc
    .tuple(fc.array(fc.tuple(fc.nat(ENTRY_NAMES.length + 2), some), { maxLength: 5 }))
    .map(([changes]) =>
      changes.reduce((values, [index, value]) => values.map((each, at) => (at === index ? value : each)), packed()),
    );
  const entries = fc.oneof(
    fc
      .array(entry, { maxLength: 4 })
      .map((list) => JSON.stringify(list, (_, each) => (typeof each === 'bigint' ? 0 : each))),
    some,
  );
  const value = fc.record({ timeOrigin: some, activationStart: some, dropped: some, page: some, top: some, entries });
  return fc
    .tuple(value, fc.subarray(['timeOrigin', 'activationStart', 'dropped', 'page', 'top', 'entries'] as const))
    .map(([made, changed]) => ({ ...group('a-0'), ...Object.fromEntries(changed.map((name) => [name, made[name]])) }));
}

test('whatever a page’s process hands over, its samples are ones that can be sent, and nothing throws', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(hostileGroups(), async (hostile) => {
      const read = readGroup(hostile);
      if (read === null) return;
      const queue = new MemoryQueue();
      const state = new StateStore<LocalState>(memoryStorage());
      const intake = new EntryIntake({ engine: 'firefox', queue, log: new RequestLog(), state, now: () => NOW });
      const targets = [{ id: 'app', name: 'App', match: ['https://app.test/*'] }];
      await intake.take(read.group, null, { version: 1, revision: 1, targets, delivery: { intervalSeconds: 60 } });
      const samples = queue.groups.flatMap((each) => each.samples);
      made += samples.length;
      const sent = JSON.parse(JSON.stringify(encodeBatch(ORIGIN, BATCH_ID, NOW, samples)));
      if (samples.length > 0) expect(decodeToSamples(sent, NOW)).toMatchObject({ ok: true });
    }),
    { numRuns: rounds(500, 5000), seed: 7 },
  );
  expect(made).toBeGreaterThan(50);
});
