import { PENDING_PREFIX } from '../messages.ts';
import type { PackedGroup } from '../packed-group.ts';
import { platform } from '../platform.ts';
import { originNow } from '../wall-origin.ts';
import { shortenUrl } from './entry-values.ts';

/** A background that has not answered by then may never answer, ms. */
const ANSWER_MS = 10_000;
/** Unanswered groups; beyond this the oldest are written to disk. */
const MAX_UNANSWERED = 50;

/** Sends one document's entries to the background, or writes them to disk if it does not confirm them. */
export class GroupPost {
  readonly #document = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');
  readonly #unanswered = new Map<string, PackedGroup>();
  /** Called when the extension was updated or removed, and this script no longer belongs to one. */
  readonly #orphaned: () => void;
  #groups = 0;

  constructor(orphaned: () => void) {
    this.#orphaned = orphaned;
  }

  /** @param entries PackedEntry[] as JSON */
  send(entries: string, dropped: number): void {
    const group: PackedGroup = {
      kind: 'entries',
      id: `${this.#document}-${this.#groups++}`,
      page: pageOf(location.href, self.origin),
      origin: self.origin,
      activationStart: activationStart(),
      top: window === window.top,
      timeOrigin: originNow(),
      entries,
      dropped,
    };
    this.#unanswered.set(group.id, group);
    for (const id of this.#unanswered.keys()) if (this.#unanswered.size > MAX_UNANSWERED) this.#keep([id]);
    try {
      // A background may be stopped midway, or find the disk full. Unconfirmed groups must not wait for the page to be left,
      // which may take all day.
      const late = setTimeout(() => this.#keep([group.id]), ANSWER_MS);
      const answered = (stored: unknown) => {
        clearTimeout(late);
        if (stored === true) this.#unanswered.delete(group.id);
        else this.#keep([group.id]);
      };
      platform.runtime.sendMessage(group).then(answered, answered);
    } catch {
      this.#orphaned();
    }
  }

  keepAll(): void {
    this.#keep([...this.#unanswered.keys()]);
  }

  /** Writes to disk without waiting: a sleeping background loses messages of an unloading page, but not this. */
  #keep(ids: readonly string[]): void {
    const kept: PackedGroup[] = [];
    const items: Record<string, PackedGroup> = {};
    for (const id of ids) {
      const group = this.#unanswered.get(id);
      if (!group) continue;
      items[PENDING_PREFIX + id] = group;
      kept.push(group);
      this.#unanswered.delete(id);
    }
    if (kept.length === 0) return;
    try {
      // Fails if the disk or the quota is full; the groups are then retried at the next chance.
      platform.storage.local.set(items).catch(() => {
        for (const group of kept) this.#unanswered.set(group.id, group);
      });
    } catch {
      this.#orphaned();
    }
  }
}

/** 0 unless the document was prerendered; not in Firefox or the DOM types. */
function activationStart(): number {
  const [navigation] = performance.getEntriesByType('navigation') as { activationStart?: number }[];
  return navigation?.activationStart ?? 0;
}

/** A frame without its own address (about:blank, srcdoc, blob:) has that of the page that filled it, and its origin. */
function pageOf(address: string, origin: string): string {
  return /^https?:/.test(address) ? shortenUrl(address) : `${origin}/`;
}
