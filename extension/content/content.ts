import { type EntryGroup, PENDING_PREFIX, type SeenEntry } from '../messages.ts';
import { platform } from '../platform.ts';
import { copyEntry, shortenUrl } from './copy-entry.ts';
import { HiddenTimes } from './hidden-times.ts';
import { wallOrigin } from './wall-origin.ts';

/** Long enough to gather the resources of a burst in one message, short enough to lose little when a tab dies. */
const GATHER_MS = 250;
const MAX_GROUP_ENTRIES = 100;
/** A page that requests without end must not fill the user's disk. */
const MAX_DOCUMENT_ENTRIES = 20_000;
/** A background that has not answered by then may never do, ms. */
const ANSWER_MS = 10_000;
/** Groups that wait for an answer; older ones are on their way to the disk already. */
const MAX_UNANSWERED = 50;

declare global {
  var lastbyteCaptures: boolean | undefined;
}

// The background also injects this file into pages that were open before it was registered.
if (!globalThis.lastbyteCaptures) {
  globalThis.lastbyteCaptures = true;
  capture();
}

function capture(): void {
  const document_ = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');
  const hiddenTimes = new HiddenTimes(() => performance.now(), document.visibilityState === 'hidden');
  const unanswered = new Map<string, EntryGroup>();
  let waiting: SeenEntry[] = [];
  let groups = 0;
  let seen = 0;
  let dropped = 0;
  let navigationSeen = false;
  let restoredAt = Number.POSITIVE_INFINITY;
  let leaving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) take(entry);
  });

  function take(source: PerformanceEntry): void {
    if (source.entryType === 'navigation') {
      // With `buffered` it comes twice: once while the document still loads, with duration 0, and once complete.
      if (navigationSeen || (source.duration === 0 && !leaving)) return;
      navigationSeen = true;
    }
    if (!/^https?:/.test(source.name)) return;
    if (++seen > MAX_DOCUMENT_ENTRIES) {
      dropped++;
      return;
    }
    const entry = copyEntry(source);
    waiting.push({
      entry,
      hidden: hiddenTimes.overlaps(entry.startTime, entry.responseEnd),
      restored: entry.startTime >= restoredAt,
      seenAt: performance.now(),
    });
    if (waiting.length >= MAX_GROUP_ENTRIES) send();
    else timer ??= setTimeout(() => requestIdleCallback(send, { timeout: GATHER_MS }), GATHER_MS);
  }

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    // Past the limit nothing waits any more, but how much was not passed on is still to be said, when the page ends.
    if (waiting.length === 0 && !(leaving && dropped > 0)) return;
    const group: EntryGroup = {
      kind: 'entries',
      id: `${document_}-${groups++}`,
      page: pageOf(location.href, self.origin),
      origin: self.origin,
      activationStart: activationStart(),
      top: window === window.top,
      timeOrigin: wallOrigin(performance.timeOrigin, performance.now(), Date.now()),
      entries: waiting,
      dropped,
    };
    waiting = [];
    dropped = 0;
    unanswered.set(group.id, group);
    for (const id of unanswered.keys()) if (unanswered.size > MAX_UNANSWERED) keep([id]);
    post(group);
  }

  function post(group: EntryGroup): void {
    try {
      // A background may be stopped amid its work, or find the disk full: what has no answer must not wait for the page
      // to be left, which some never are all day.
      const late = setTimeout(keep, ANSWER_MS, [group.id]);
      const answered = (stored: unknown) => {
        clearTimeout(late);
        if (stored === true) unanswered.delete(group.id);
        else keep([group.id]);
      };
      platform.runtime.sendMessage(group).then(answered, answered);
    } catch {
      // The extension was updated or removed: this script belongs to nobody any more.
      observer.disconnect();
    }
  }

  /** To disk, without waiting for anybody: a sleeping background loses messages of a dying page, but not this. */
  function keep(ids: Iterable<string>): void {
    const kept: EntryGroup[] = [];
    const items: Record<string, EntryGroup> = {};
    for (const id of ids) {
      const group = unanswered.get(id);
      if (!group) continue;
      items[PENDING_PREFIX + id] = group;
      kept.push(group);
      unanswered.delete(id);
    }
    if (kept.length === 0) return;
    try {
      // Refused where the disk or the quota is full: then the next chance to be answered or kept counts.
      platform.storage.local.set(items).catch(() => {
        for (const group of kept) unanswered.set(group.id, group);
      });
    } catch {
      observer.disconnect();
    }
  }

  function leave(): void {
    for (const entry of observer.takeRecords()) take(entry);
    send();
    keep([...unanswered.keys()]);
  }

  // The page can make such events too; those are not trusted.
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
    for (const entry of performance.getEntriesByType('navigation')) take(entry);
    leave();
  });
  addEventListener('pageshow', (event) => {
    if (!event.isTrusted || !event.persisted) return;
    restoredAt = performance.now();
    leaving = false;
  });

  observer.observe({ type: 'navigation', buffered: true });
  observer.observe({ type: 'resource', buffered: true });
}

/** 0 unless the document was prerendered; unknown to Firefox and to the DOM types. */
function activationStart(): number {
  const [navigation] = performance.getEntriesByType('navigation') as { activationStart?: number }[];
  return navigation?.activationStart ?? 0;
}

/** A frame without an address of its own (about:blank, srcdoc, blob:) belongs to the page that filled it, whose origin it has. */
function pageOf(address: string, origin: string): string {
  return /^https?:/.test(address) ? shortenUrl(address) : `${origin}/`;
}
