/** A browser's id and the number that packs have for it. */
export interface NumberedClient {
  readonly id: number;
  readonly client: string;
  /** Newest day with samples of it, days since 1970 (UTC): behind that day's samples nobody needs the id any more. */
  readonly lastDay: number;
}

/** Where numbers are stored. They are asked for one at a time: there may be millions, and few matter at once. */
export interface StoredClients {
  find(client: string): Omit<NumberedClient, 'client'> | undefined;
  textOf(id: number): string | undefined;
  /** The largest number that was ever given, to one that is gone too: packs may still have it. */
  last(): number;
}

export interface ClientNumbers {
  /** For a rollup: numbers the browser if need be. @param day that it has samples of */
  numberOf(client: string, day: number): number;
  /** undefined where no rollup has it */
  find(client: string): number | undefined;
  /** undefined where the id was erased, or is older than all samples */
  textOf(id: number): string | undefined;
  /** What was numbered, or seen on a later day, since it was last taken. */
  takeNew(): NumberedClient[];
}

const NONE_STORED: StoredClients = { find: () => undefined, textOf: () => undefined, last: () => 0 };

export function createClientNumbers(stored: StoredClients = NONE_STORED): ClientNumbers {
  const changed = new Map<string, NumberedClient>();
  let last = 0;

  return {
    numberOf(client, day) {
      const known = changed.get(client) ?? stored.find(client);
      if (known !== undefined && known.lastDay >= day) return known.id;
      if (known === undefined) last = Math.max(last, stored.last()) + 1;
      const id = known?.id ?? last;
      changed.set(client, { id, client, lastDay: day });
      return id;
    },
    find: (client) => stored.find(client)?.id,
    textOf: (id) => stored.textOf(id),
    takeNew() {
      const taken = [...changed.values()];
      changed.clear();
      last = 0;
      return taken;
    },
  };
}
