import { classifyConnection } from '../../shared/classify/connection.ts';
import type { EntryContext } from '../../shared/timing/entry-context.ts';
import { splitSetUp } from '../../shared/timing/set-up-split.ts';
import { readStamps } from '../../shared/timing/stamps.ts';
import type { TimingEntry } from '../../shared/timing/timing-entry.ts';

/** The least recently seen is dropped. */
const MAX_ORIGINS = 500;

/**
 * The shortest TCP handshake with each origin since the background started, as far as entries prove it. In memory only: it
 * should not outlive a change of network.
 */
export class LeastTcp {
  readonly #least = new Map<string, number>();

  note(entry: TimingEntry, context: EntryContext): void {
    if (classifyConnection(entry, context).evidence !== 'connect_took_time') return;
    const stamps = readStamps(entry);
    const { tcp } = splitSetUp(stamps, stamps.secureConnectionStart > 0, entry.nextHopProtocol, context);
    // Helps decide whether 0 was a handshake at all.
    if (typeof tcp !== 'number' || tcp === 0) return;
    const origin = originOf(entry);
    const least = Math.min(tcp / 1000, this.#least.get(origin) ?? Number.POSITIVE_INFINITY);
    this.#least.delete(origin);
    this.#least.set(origin, least);
    if (this.#least.size > MAX_ORIGINS) this.#least.delete(this.#least.keys().next().value ?? '');
  }

  /** ms; null if none is known. */
  of(entry: TimingEntry): number | null {
    return this.#least.get(originOf(entry)) ?? null;
  }
}

function originOf({ name }: TimingEntry): string {
  return new URL(name).origin;
}
