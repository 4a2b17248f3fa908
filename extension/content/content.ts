import { entryValues } from './entry-values.ts';
import { GroupPost } from './group-post.ts';
import { HiddenTimes } from './hidden-times.ts';

/** Long enough to gather a burst of resources in one message, short enough to lose little if the tab crashes. */
const GATHER_MS = 250;
/** Nothing is sent before: the background would compete with the loading page. Some pages never finish loading. */
const LOADING_MS = 5_000;
/**
 * While the page loads, drain the observer's lists every 4 callbacks, and copy entries once there are 50: a page that is
 * left right after loading then has little left to copy. Not by timer: a timer and an idle callback together cost as much as
 * copying 20 entries.
 */
const LISTS_AT_ONCE = 4;
const COPIED_AT_ONCE = 50;
/** A message costs about as much as copying 50 entries, and an unloading page has to send everything at once. */
const MAX_GROUP_ENTRIES = 500;
/** Copied in one go, about a millisecond of work, so that the page's own scripts come first. */
const SLICE_ENTRIES = 100;
/** A page that makes requests endlessly must not fill the user's disk. */
const MAX_DOCUMENT_ENTRIES = 20_000;

declare global {
  var lastbyteCaptures: boolean | undefined;
}

/** Already serialized, slice by slice: an unloading page has little time for it. */
interface CopiedSlice {
  readonly count: number;
  /** PackedEntry[] as JSON, without the brackets. */
  readonly json: string;
}

/** What one observer callback received. */
type EntryList = Pick<PerformanceObserverEntryList, 'getEntries'>;

// The background also injects this file into pages that were open before it was registered.
if (!globalThis.lastbyteCaptures) {
  globalThis.lastbyteCaptures = true;
  capture();
}

function capture(): void {
  /** Chromium loads a page before its user asks for it; what is never shown is no page view, so nothing is sent. */
  let prerendering = (document as Document & { prerendering?: boolean }).prerendering === true;
  // A prerendered page is hidden, but its requests are not throttled.
  const hiddenTimes = new HiddenTimes(() => performance.now(), !prerendering && document.visibilityState === 'hidden');
  const post = new GroupPost(() => {
    resources.disconnect();
    navigation.disconnect();
  });
  let lists: EntryList[] = [];
  let opened: PerformanceEntry[] = [];
  const waiting: CopiedSlice[] = [];
  let seen = 0;
  let dropped = 0;
  let navigationSeen = false;
  let restoredAt = Number.POSITIVE_INFINITY;
  let leaving = false;
  let gathering = false;
  let loading = document.readyState !== 'complete';

  // Called up to once per resource while the page loads, so it usually only stores the list.
  const resources = new PerformanceObserver(take);
  const navigation = new PerformanceObserver((list) => takeNavigation(list.getEntries()));

  function take(list: EntryList): void {
    lists.push(list);
    if (!loading && !prerendering) gather();
    else if (lists.length >= LISTS_AT_ONCE) {
      open();
      if (opened.length >= COPIED_AT_ONCE) copySlice();
    }
  }

  function gather(): void {
    if (gathering || prerendering) return;
    gathering = true;
    setTimeout(whenIdle, GATHER_MS);
  }

  function loaded(): void {
    loading = false;
    gather();
  }

  /**
   * With `buffered` the entry arrives twice: while the document still loads, with duration 0, and once complete. On a busy
   * page both arrive at once, complete.
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

  /** One step at a time: copies what was observed, or sends what was copied. */
  function work(): void {
    open();
    if (opened.length > 0) copySlice();
    else sendGroup();
    gathering = lists.length > 0 || opened.length > 0 || waiting.length > 0;
    if (gathering) whenIdle();
  }

  function open(): void {
    for (const list of lists) {
      for (const source of list.getEntries()) {
        if (!isHttp(source.name)) continue;
        if (++seen > MAX_DOCUMENT_ENTRIES) dropped++;
        else opened.push(source);
      }
    }
    lists = [];
  }

  /** The backlog sets the size of a slice, so that a flooding page's entries do not pile up until it is left. */
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
    // Past the limit nothing is queued, but the number of dropped entries is still reported when the page ends.
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
    if (prerendering) return;
    const records = resources.takeRecords();
    take({ getEntries: () => records });
    open();
    while (opened.length > 0) copySlice();
    do sendGroup();
    while (waiting.length > 0);
    post.keepAll();
  }

  // The page can dispatch such events too, but those are not trusted.
  if (loading) {
    addEventListener('load', ({ isTrusted }) => isTrusted && loaded());
    setTimeout(loaded, LOADING_MS);
  }
  if (prerendering) {
    document.addEventListener('prerenderingchange', ({ isTrusted }) => {
      if (!isTrusted) return;
      prerendering = false;
      hiddenTimes.change(document.visibilityState === 'hidden');
      gather();
    });
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

/** Pages also load data: and blob: URLs, which involve no network. */
function isHttp(name: string): boolean {
  return name.startsWith('https:') || name.startsWith('http:');
}
