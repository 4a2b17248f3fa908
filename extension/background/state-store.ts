/** What storage.local, storage.session, storage.managed and `IndexedDbStorage` have in common; unit tests pass a Map behind it. */
export interface KeyValueStorage {
  get(keys: string | null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>, durability?: 'strict'): Promise<void>;
  remove(keys: string | string[]): Promise<void>;
}

export class StateStore<State extends object> {
  readonly #storage: KeyValueStorage;
  #changes: Promise<unknown> = Promise.resolve();
  /** Called after each write. */
  written: (name: keyof State & string) => void = () => {};

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  async read<Name extends keyof State & string>(name: Name): Promise<State[Name] | null> {
    const items = await this.#storage.get(name);
    return (items[name] as State[Name] | undefined) ?? null;
  }

  async write<Name extends keyof State & string>(name: Name, value: State[Name]): Promise<void> {
    await this.#storage.set({ [name]: value });
    this.written(name);
  }

  /** Serialized: each change sees the result of the one before it, or concurrent changes would overwrite each other. */
  change<Name extends keyof State & string>(
    name: Name,
    by: (value: State[Name] | null) => State[Name],
  ): Promise<State[Name]> {
    const changed = this.#changes.then(async () => {
      const value = by(await this.read(name));
      await this.write(name, value);
      return value;
    });
    this.#changes = changed.catch(() => {}); // the caller handles it
    return changed;
  }

  async forget(name: keyof State & string): Promise<void> {
    await this.#storage.remove(name);
  }
}
