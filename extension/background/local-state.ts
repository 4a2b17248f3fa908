import type { NameRegistry } from '../../shared/redact/name-registry.ts';
import type { IdleState } from '../../shared/sample/idle-tracker.ts';
import type { ExtensionSettings } from '../../shared/settings/settings-schema.ts';
import type { ProbeState } from '../probe/probe-schedule.ts';
import type { DeliveryState } from './delivery.ts';
import type { Pause, PauseSpan } from './pause.ts';
import type { SentLogState } from './sent-log.ts';
import type { PollState } from './settings-poll.ts';
import type { ReportedStatus } from './status-report.ts';

/** State that outlives the background, apart from the queue. Everything in memory only caches it. */
export interface LocalState {
  /** Entered on the options page. */
  readonly enrolment: { readonly collector: string; readonly key: string; readonly site: string };
  readonly settings: { readonly etag: string | null; readonly document: ExtensionSettings };
  readonly poll: PollState;
  /** Collector and revision of the settings that the content script is registered for. */
  readonly registered: string;
  readonly client: { readonly id: string; readonly month: string };
  readonly delivery: DeliveryState;
  /** Hosts and templates used so far; their number is bounded. */
  readonly names: NameRegistry;
  /** When each origin last responded over the network. */
  readonly answered: IdleState;
  /** Entries that never became samples, by reason. */
  readonly lost: Readonly<Record<string, number>>;
  /** Values that samples left out because they could not be right, by code. */
  readonly ignored: Readonly<Record<string, number>>;
  /** The pause in force. */
  readonly paused: Pause;
  /** Past pauses. */
  readonly pauses: readonly PauseSpan[];
  /** What was sent recently, shown to the user. */
  readonly sent: SentLogState;
  /** The last status of this browser that the collector acknowledged. */
  readonly told: ReportedStatus;
  /** Requests of probes in the last hour, and the outcome of each probe's last run. */
  readonly probes: ProbeState;
}

/** What storage.local, storage.session, storage.managed and `IndexedDbStorage` have in common; unit tests pass a Map behind it. */
export interface KeyValueStorage {
  get(keys: string | null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>, durability?: 'strict'): Promise<void>;
  remove(keys: string | string[]): Promise<void>;
}

export class StateStore {
  readonly #storage: KeyValueStorage;
  #changes: Promise<unknown> = Promise.resolve();
  /** Called after each write. */
  written: (name: keyof LocalState) => void = () => {};

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  async read<Name extends keyof LocalState>(name: Name): Promise<LocalState[Name] | null> {
    const items = await this.#storage.get(name);
    return (items[name] as LocalState[Name] | undefined) ?? null;
  }

  async write<Name extends keyof LocalState>(name: Name, value: LocalState[Name]): Promise<void> {
    await this.#storage.set({ [name]: value });
    this.written(name);
  }

  /** Serialized: each change sees the result of the one before it, or concurrent changes would overwrite each other. */
  change<Name extends keyof LocalState>(
    name: Name,
    by: (value: LocalState[Name] | null) => LocalState[Name],
  ): Promise<LocalState[Name]> {
    const changed = this.#changes.then(async () => {
      const value = by(await this.read(name));
      await this.write(name, value);
      return value;
    });
    this.#changes = changed.catch(() => {}); // the caller handles it
    return changed;
  }

  async forget(name: keyof LocalState): Promise<void> {
    await this.#storage.remove(name);
  }
}
