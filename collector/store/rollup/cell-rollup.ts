import { CellValues } from '../pack/cell-values.ts';

/** Ids of the counters that rows of one kind raise; the same array for the same kind within one set of columns. */
export type Profile = readonly number[];

/** Everything a rollup knows of one cell in one bucket. */
export class CellRollup {
  /** By number of measure; a hole where the cell has none. */
  readonly values: (CellValues | undefined)[] = [];
  /** By id of counter, and samples by id of browser: complete once settled. */
  readonly counts = new Map<number, number>();
  readonly clients = new Map<number, number>();
  /** Not yet counted: looking up ten counters for each row would be a third of a rollup. */
  private readonly profiles = new Map<Profile, number>();
  private readonly rowClients: number[] = [];

  valuesOf(measure: number): CellValues {
    let values = this.values[measure];
    if (values === undefined) {
      values = new CellValues();
      this.values[measure] = values;
    }
    return values;
  }

  /** One row. */
  count(profile: Profile, client: number): void {
    this.profiles.set(profile, (this.profiles.get(profile) ?? 0) + 1);
    this.rowClients.push(client);
  }

  settle(): void {
    for (const [counters, count] of this.profiles) for (const counter of counters) raise(this.counts, counter, count);
    this.profiles.clear();
    for (const client of this.rowClients) raise(this.clients, client, 1);
    this.rowClients.length = 0;
  }
}

export function raise(counts: Map<number, number>, id: number, by: number): void {
  counts.set(id, (counts.get(id) ?? 0) + by);
}
