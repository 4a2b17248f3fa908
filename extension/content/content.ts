import { entryValues } from './entry-values.ts';
import { GroupPost } from './group-post.ts';
import { HiddenTimes } from './hidden-times.ts';

/** Long enough to gather the resources of a burst in one message, short enough to lose little when a tab dies. */
const GATHER_MS = 250;
/** The background takes the processor from a page that loads, too: until then nothing is sent. Some never end loading. */
const LOADING_MS = 5_000;
/**
 * Meanwhile what the browser told is looked at every so many times, and copied once there is enough: a page that is left as
 * soon as it is there has little left to copy. Not by a timer: its turn, and that of an idle callback behind it, take as long
 * as copying 20 entries.
 */
const TOLD_AT_ONCE = 4;
const COPIED_AT_ONCE = 50;
/** A message costs about as much as copying 50 entries, and a page that is left has to send all at once. */
const MAX_GROUP_ENTRIES = 500;
/** Copied in one go, a millisecond's work: the page's own scripts come first. */
const SLICE_ENTRIES = 100;
/** A page that requests without end must not fill the user's disk. */
const MAX_DOCUMENT_ENTRIES = 20_000;

declare global {
  var lastbyteCaptures: boolean | undefined;
}

/** As JSON already, each slice in its turn: a page that is left has little time for it. */
interface CopiedSlice {
  readonly count: number;
  /** Of PackedEntry[], without its brackets. */
  readonly json: string;
}

/** What the browser told at one time. */
type Told = Pick<PerformanceObserverEntryList, 'getEntries'>;

// The background also injects this file into pages that were open before it was registered.
if (!globalThis.lastbyteCaptures) {
  globalThis.lastbyteCaptures = true;
  capture();
}

function capture(): void {
  const hiddenTimes = new HiddenTimes(() => performance.now(), document.visibilityState === 'hidden');
  const post = new GroupPost(() => {
    resources.disconnect();
    navigation.disconnect();
  });
  let told: Told[] = [];
  let opened: PerformanceEntry[] = [];
  const waiting: CopiedSlice[] = [];
  let seen = 0;
  let dropped = 0;
  let navigationSeen = false;
  let restoredAt = Number.POSITIVE_INFINITY;
  let leaving = false;
  let gathering = false;
  let loading = document.readyState !== 'complete';

  // Called up to once for each resource, amid the page's loading: nearly always it only notes what it is told.
  const resources = new PerformanceObserver(take);
  const navigation = new PerformanceObserver((list) => takeNavigation(list.getEntries()));

  function take(list: Told): void {
    told.push(list);
    if (!loading) gather();
    else if (told.length >= TOLD_AT_ONCE) {
      open();
      if (opened.length >= COPIED_AT_ONCE) copySlice();
    }
  }

  function gather(): void {
    if (gathering) return;
    gathering = true;
    setTimeout(whenIdle, GATHER_MS);
  }

  function loaded(): void {
    loading = false;
    gather();
  }

  /**
   * With `buffered` it comes twice: once while the document still loads, with duration 0, and once complete; to a busy page
   * both at once, complete.
   */
  function takeNavigation(sources: readonly PerformanceEntry[]): void {
    const complete = sources.find(({ duration }) => duration > 0 || leaving);
    if (navigationSeen || !complete) return;
    navigationSeen = true;
    take({ getEntries: () => [complete] });
  }

  function whenIdle(): void {
    requestIdleCallback(work, { timeout: GATHER_MS });
  }

  /** One step at a time: what is told is copied, and what was copied is sent. */
  function work(): void {
    open();
    if (opened.length > 0) copySlice();
    else sendGroup();
    gathering = told.length > 0 || opened.length > 0 || waiting.length > 0;
    if (gathering) whenIdle();
  }

  function open(): void {
    for (const list of told) {
      for (const source of list.getEntries()) {
        if (!isHttp(source.name)) continue;
        if (++seen > MAX_DOCUMENT_ENTRIES) dropped++;
        else opened.push(source);
      }
    }
    told = [];
  }

  /** The more there is, the larger the slice: what a flooding page makes must not pile up until it is left. */
  function copySlice(): void {
    const count = Math.min(MAX_GROUP_ENTRIES, Math.max(SLICE_ENTRIES, Math.ceil(opened.length / 8)));
    const slice = opened.slice(0, count);
    opened = opened.slice(count);
    const seenAt = performance.now();
    const copied = slice.map((source) => {
      const { startTime, responseEnd } = source as PerformanceResourceTiming;
      const values = entryValues(source);
      values.push(hiddenTimes.overlaps(startTime, responseEnd), startTime >= restoredAt, seenAt);
      return values;
    });
    waiting.push({ count: copied.length, json: JSON.stringify(copied).slice(1, -1) });
  }

  function sendGroup(): void {
    // Past the limit nothing waits any more, but how much was not passed on is still to be said, when the page ends.
    if (waiting.length === 0 && !(leaving && dropped > 0)) return;
    const group: string[] = [];
    for (let count = 0; waiting[0] && count + waiting[0].count <= MAX_GROUP_ENTRIES; ) {
      const { count: more, json } = waiting.shift() as CopiedSlice;
      count += more;
      group.push(json);
    }
    post.send(`[${group.join(',')}]`, dropped);
    dropped = 0;
  }

  function leave(): void {
    const records = resources.takeRecords();
    take({ getEntries: () => records });
    open();
    while (opened.length > 0) copySlice();
    do sendGroup();
    while (waiting.length > 0);
    post.keepAll();
  }

  // The page can make such events too; those are not trusted.
  if (loading) {
    addEventListener('load', ({ isTrusted }) => isTrusted && loaded());
    setTimeout(loaded, LOADING_MS);
  }
  addEventListener('visibilitychange', ({ isTrusted }) => {
    if (!isTrusted) return;
    const hidden = document.visibilityState === 'hidden';
    hiddenTimes.change(hidden);
    if (hidden) leave();
  });
  addEventListener('pagehide', ({ isTrusted }) => {
    if (!isTrusted) return;
    // A page left before its load event has only this unfinished entry.
    leaving = true;
    if (!navigationSeen) takeNavigation(performance.getEntriesByType('navigation'));
    leave();
  });
  addEventListener('pageshow', (event) => {
    if (!event.isTrusted || !event.persisted) return;
    restoredAt = performance.now();
    leaving = false;
  });

  navigation.observe({ type: 'navigation', buffered: true });
  resources.observe({ type: 'resource', buffered: true });
}

/** Pages also load from data: and blob:, which no network is behind. */
function isHttp(name: string): boolean {
  return name.startsWith('https:') || name.startsWith('http:');
}
