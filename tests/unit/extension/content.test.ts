import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ENTRY_NAMES, type PackedGroup, unpackGroup } from '../../../extension/packed-group.ts';

const sent: PackedGroup[] = [];
const kept: Record<string, PackedGroup>[] = [];
let answer: () => Promise<unknown>;
vi.mock('../../../extension/platform.ts', () => ({
  platform: {
    runtime: {
      sendMessage: (group: PackedGroup) => {
        sent.push(group);
        return answer();
      },
    },
    storage: { local: { set: async (items: Record<string, PackedGroup>) => void kept.push(items) } },
  },
}));

type Listener = (event: object) => void;
let listeners: Record<string, Listener>;
let tell: (entries: object[]) => void;
let tellNavigation: (entries: object[]) => void;
/** What waits for the page to have nothing to do. */
let idle: (() => void)[];
const shown = { visibilityState: 'visible', readyState: 'complete' };
const GATHER_MS = 250;

/** The globals of a page, as far as the content script uses them. */
beforeEach(async () => {
  sent.length = 0;
  kept.length = 0;
  answer = () => new Promise(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  listeners = {};
  idle = [];
  shown.readyState = 'complete';
  const page = {
    document: shown,
    location: { href: 'https://app.test/start#part' },
    self: { origin: 'https://app.test' },
    window: globalThis,
    addEventListener: (name: string, listener: Listener) => {
      listeners[name] = listener;
    },
    requestIdleCallback: (callback: () => void) => void idle.push(callback),
    PerformanceObserver: class {
      readonly #tell: (entries: object[]) => void;
      constructor(callback: (list: object) => void) {
        this.#tell = (entries) => callback({ getEntries: () => entries });
      }
      observe({ type }: { type: string }) {
        if (type === 'resource') tell = this.#tell;
        else tellNavigation = this.#tell;
      }
      takeRecords() {
        return [];
      }
      disconnect() {}
    },
  };
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value);
  vi.stubGlobal('lastbyteCaptures', undefined);
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([]);
  vi.resetModules();
  await import('../../../extension/content/content.ts');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The page is idle until nothing is left to do. */
async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  for (let work = idle.shift(); work; work = idle.shift()) work();
}

/** Entries in each group that was sent. */
function sizes(): number[] {
  return sent.map((group) => unpackGroup(group).entries.length);
}

function entries(count: number, name = 'https://app.test/x'): object[] {
  return Array.from({ length: count }, () => ({
    entryType: 'resource',
    name,
    startTime: 1,
    responseEnd: 2,
    duration: 1,
  }));
}

test('a flood is passed on up to 20,000 entries, and what lies beyond is counted when the page ends', () => {
  for (let told = 0; told < 100_000; told += 1_000) tell(entries(1_000));
  listeners.pagehide?.({ isTrusted: true });
  expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(20_000);
  expect(sent.reduce((sum, group) => sum + group.dropped, 0)).toBe(80_000);
  expect(Math.max(...sizes())).toBe(100);
  // Nobody answered, so each group lies on the disk too, once.
  const ids = kept.flatMap((items) => Object.keys(items));
  expect([...new Set(ids)].sort()).toEqual(sent.map(({ id }) => `pending/${id}`).sort());
  expect(ids).toHaveLength(sent.length);
});

test('nothing is copied while the page is busy, and in its pauses a little at a time', async () => {
  let copied = 0;
  const counted = entries(500).map((entry) =>
    Object.defineProperty(entry, 'initiatorType', {
      get() {
        copied++;
        return 'img';
      },
    }),
  );
  tell(counted);
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect([copied, sent.length]).toEqual([0, 0]);
  for (let work = idle.shift(); work; work = idle.shift()) {
    const [copiedBefore, sentBefore] = [copied, sent.length];
    work();
    const [slice, groups] = [copied - copiedBefore, sent.length - sentBefore];
    expect(slice).toBeLessThan(70);
    expect(groups).toBeLessThanOrEqual(slice > 0 ? 0 : 1);
  }
  expect(sizes()).toEqual([100, 100, 100, 100, 100]);
  expect(kept).toEqual([]);
});

test('while the page loads what it is made of is copied in its pauses, and sent once it is there', async () => {
  shown.readyState = 'interactive';
  tell(entries(150));
  await rest();
  tell(entries(20));
  for (let waits = 0; waits < 4; waits++) await rest();
  expect(sent).toEqual([]);
  shown.readyState = 'complete';
  await rest();
  expect(sizes()).toEqual([100, 70]);
});

test('a page that does not end loading has what it is made of sent all the same', async () => {
  shown.readyState = 'interactive';
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  tell(entries(3));
  await rest();
  expect(sent).toEqual([]);
  now.mockReturnValue(5_000);
  await rest();
  expect(sizes()).toEqual([3]);
});

test("a page's own pagehide does nothing", () => {
  tell(entries(3));
  listeners.pagehide?.({ isTrusted: false });
  expect(sent).toEqual([]);
  listeners.pagehide?.({ isTrusted: true });
  expect(sizes()).toEqual([3]);
});

test('the document counts once, whether the browser tells of it early and late or both at once', async () => {
  const [resource] = entries(1);
  const document = { ...resource, entryType: 'navigation', name: 'https://app.test/start' };
  tellNavigation([{ ...document, duration: 0 }]);
  tellNavigation([document, document]);
  tellNavigation([document]);
  await rest();
  listeners.pagehide?.({ isTrusted: true });
  expect(sizes()).toEqual([1]);
});

test('every value of an entry arrives under its own name', () => {
  const entry = { ...entries(1)[0], ...Object.fromEntries(ENTRY_NAMES.map((name) => [name, `the ${name}`])) };
  const told = { ...entry, name: 'https://app.test/x', startTime: 1, responseEnd: 2, type: 'the navigationType' };
  tell([{ ...told, serverTiming: [{ name: 'db', duration: 3, description: 'slow', other: 1 }] }]);
  listeners.pagehide?.({ isTrusted: true });
  const [group] = sent.map(unpackGroup);
  expect(Object.keys(group?.entries[0]?.entry ?? {})).toEqual(ENTRY_NAMES);
  expect(group?.entries).toEqual([
    {
      entry: {
        ...Object.fromEntries(ENTRY_NAMES.map((name) => [name, `the ${name}`])),
        name: 'https://app.test/x',
        startTime: 1,
        responseEnd: 2,
        serverTiming: [{ name: 'db', duration: 3, description: 'slow' }],
      },
      hidden: false,
      restored: false,
      seenAt: expect.any(Number),
    },
  ]);
});

test('addresses of megabytes are cut, and fragments stay where they are', () => {
  tell(entries(1, `https://app.test/${'x'.repeat(1_000_000)}?${'y'.repeat(1_000_000)}#z`));
  listeners.pagehide?.({ isTrusted: true });
  expect(JSON.stringify(sent).length).toBeLessThan(6_000);
  expect(sent[0]?.page).toBe('https://app.test/start');
});

test.each<[string, () => Promise<unknown>, number]>([
  ['is refused', () => Promise.reject(new Error('Could not establish connection')), 0],
  ['nobody answers', () => Promise.resolve(undefined), 0],
  ['is never answered', () => new Promise(() => {}), 10_000],
])('a group that %s goes to the disk while the page stays open', async (_, answered, afterMs) => {
  answer = answered;
  tell(entries(100));
  await rest();
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(afterMs);
  expect(kept.map((items) => Object.keys(items))).toEqual([[`pending/${sent[0]?.id}`]]);
});

test('a group that was stored is written nowhere else', async () => {
  answer = async () => true;
  tell(entries(100));
  await rest();
  await vi.advanceTimersByTimeAsync(60_000);
  listeners.pagehide?.({ isTrusted: true });
  expect(kept).toEqual([]);
});
