import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nameValues, type PackedEntry, type PackedGroup } from '../../../extension/packed-group.ts';
import { ENTRY_NAMES } from '../timing/entries.ts';

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
  Object.assign(shown, { readyState: 'complete', visibilityState: 'visible', prerendering: false });
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
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([]);
  await inject();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function inject(): Promise<void> {
  vi.stubGlobal('lastbyteCaptures', undefined);
  vi.resetModules();
  await import('../../../extension/content/content.ts');
}

/** The page is idle until nothing is left to do. */
async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  for (let work = idle.shift(); work; work = idle.shift()) work();
}

function entriesOf(group: PackedGroup | undefined): PackedEntry[] {
  return JSON.parse(group?.entries ?? '[]');
}

/** Entries in each group that was sent. */
function sizes(): number[] {
  return sent.map((group) => entriesOf(group).length);
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
  expect(Math.max(...sizes())).toBe(500);
  // Nobody answered, so each group lies on the disk too, once.
  const ids = kept.flatMap((items) => Object.keys(items));
  expect([...new Set(ids)].sort()).toEqual(sent.map(({ id }) => `pending/${id}`).sort());
  expect(ids).toHaveLength(sent.length);
});

/** The same, and how many of them were copied by now. */
function counted(count: number): { told: object[]; copied: () => number } {
  let copied = 0;
  const initiatorType = {
    get() {
      copied++;
      return 'img';
    },
  };
  return {
    told: entries(count).map((entry) => Object.defineProperty(entry, 'initiatorType', initiatorType)),
    copied: () => copied,
  };
}

test('nothing is copied while the page is busy, and in its pauses a little at a time', async () => {
  const { told, copied } = counted(700);
  tell(told);
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect([copied(), sent.length]).toEqual([0, 0]);
  for (let work = idle.shift(); work; work = idle.shift()) {
    const [copiedBefore, sentBefore] = [copied(), sent.length];
    work();
    const [slice, groups] = [copied() - copiedBefore, sent.length - sentBefore];
    expect(slice).toBeLessThanOrEqual(100);
    expect(groups).toBeLessThanOrEqual(slice > 0 ? 0 : 1);
  }
  expect(sizes()).toEqual([500, 200]);
  expect(kept).toEqual([]);
});

test('while the page loads what it is made of is copied a little at a time as the browser tells it, and sent once it is there', async () => {
  shown.readyState = 'interactive';
  await inject();
  const { told, copied } = counted(620);
  for (let list = 0; list < 7; list++) tell(told.splice(0, 8));
  await rest();
  expect(copied()).toBe(0);
  tell(told.splice(0, 8));
  expect(copied()).toBe(64); // few enough for one go
  for (let list = 0; list < 3; list++) tell(told.splice(0, 50));
  expect(copied()).toBe(64);
  tell(told.splice(0, 50));
  expect(copied()).toBe(164); // of 264
  tell(told.splice(0));
  await rest();
  expect([copied(), sent.length]).toEqual([164, 0]);
  listeners.load?.({ isTrusted: false });
  await rest();
  expect(sent).toEqual([]);
  listeners.load?.({ isTrusted: true });
  await rest();
  expect(sizes()).toEqual([464, 156]); // what was copied together stays together
});

test('a page that does not end loading has what it is made of sent all the same', async () => {
  shown.readyState = 'interactive';
  await inject();
  tell(entries(3));
  await vi.advanceTimersByTimeAsync(4_999);
  expect([sent.length, idle.length]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await rest();
  expect(sizes()).toEqual([3]);
  tell(entries(2));
  await rest();
  expect(sizes()).toEqual([3, 2]);
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
  const [values = []] = entriesOf(sent[0]);
  expect(nameValues(values)).toEqual({
    ...Object.fromEntries(ENTRY_NAMES.map((name) => [name, `the ${name}`])),
    name: 'https://app.test/x',
    startTime: 1,
    responseEnd: 2,
    serverTiming: [{ name: 'db', duration: 3, description: 'slow' }],
  });
  expect(values.slice(ENTRY_NAMES.length)).toEqual([false, false, expect.any(Number)]);
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

test('a prerendered page says nothing until it is shown, and none of its requests were hidden', async () => {
  let activate: Listener = () => {};
  Object.assign(shown, {
    prerendering: true,
    visibilityState: 'hidden',
    addEventListener: (name: string, listener: Listener) => {
      if (name === 'prerenderingchange') activate = listener;
    },
  });
  await inject();
  tellNavigation([
    { entryType: 'navigation', name: 'https://app.test/start', startTime: 0, responseEnd: 2, duration: 9 },
  ]);
  for (let told = 0; told < 100; told++) tell(entries(1));
  listeners.pagehide?.({ isTrusted: true });
  await rest();
  expect([sent, kept]).toEqual([[], []]);

  Object.assign(shown, { prerendering: false, visibilityState: 'visible' });
  listeners.visibilitychange?.({ isTrusted: true });
  activate({ isTrusted: false });
  await rest();
  expect(sent).toEqual([]);
  activate({ isTrusted: true });
  await rest();
  const told = sent.flatMap(entriesOf);
  expect(told).toHaveLength(101);
  expect(told.filter((values) => values[ENTRY_NAMES.length] !== false)).toEqual([]);
});
