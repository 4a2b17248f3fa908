import { PENDING_PREFIX } from '../messages.ts';
import type { PackedGroup } from '../packed-group.ts';
import { platform } from '../platform.ts';
import { originNow } from '../wall-origin.ts';
import { shortenUrl } from './entry-values.ts';

/** A background that has not answered by then may never do, ms. */
const ANSWER_MS = 10_000;
/** Groups that wait for an answer; older ones are on their way to the disk already. */
const MAX_UNANSWERED = 50;

/** Brings one document's entries to the background, or to the disk where that does not say that it has them. */
export class GroupPost {
  readonly #document = Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('');
  readonly #unanswered = new Map<string, PackedGroup>();
  /** The extension was updated or removed: this script belongs to nobody any more. */
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
      // A background may be stopped amid its work, or find the disk full: what has no answer must not wait for the page
      // to be left, which some never are all day.
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

  /** To disk, without waiting for anybody: a sleeping background loses messages of a dying page, but not this. */
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
      // Refused where the disk or the quota is full: then the next chance to be answered or kept counts.
      platform.storage.local.set(items).catch(() => {
        for (const group of kept) this.#unanswered.set(group.id, group);
      });
    } catch {
      this.#orphaned();
    }
  }
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
