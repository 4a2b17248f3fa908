/** A value that was read, and when, epoch ms. */
export interface Known<Value> {
  readonly value: Value;
  readonly at: number;
}

/** Where the reading of something stands. `last` is the newest value there is, however old. */
export type Reading<Value> =
  | {
      readonly kind: 'loading';
      readonly since: number;
      /** Part that is done, 0…1; null where the collector does not say. */
      readonly progress: number | null;
      readonly last: Known<Value> | null;
    }
  | { readonly kind: 'ready'; readonly last: Known<Value> }
  | { readonly kind: 'cancelled'; readonly last: Known<Value> | null }
  | { readonly kind: 'failed'; readonly error: unknown; readonly last: Known<Value> | null };

export type Report = (progress: number) => void;

/** Reads a value; `report` takes the part that is done. */
export type Read<Value> = (signal: AbortSignal, report: Report) => Promise<Value>;
