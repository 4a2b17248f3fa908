import type { ReportProgress } from '../api/read-lines.ts';

/** A value and when it was read, epoch ms. */
export interface CachedValue<Value> {
  readonly value: Value;
  readonly at: number;
}

/** `last` is the newest value there is, however old. */
export type QueryState<Value> =
  | {
      readonly kind: 'loading';
      readonly since: number;
      /** Fraction done, 0…1; null if the collector does not report it. */
      readonly progress: number | null;
      readonly last: CachedValue<Value> | null;
    }
  | { readonly kind: 'ready'; readonly last: CachedValue<Value> }
  | { readonly kind: 'cancelled'; readonly last: CachedValue<Value> | null }
  | { readonly kind: 'failed'; readonly error: unknown; readonly last: CachedValue<Value> | null };

export type Read<Value> = (signal: AbortSignal, report: ReportProgress) => Promise<Value>;

/** The query behind a part of the page. */
export interface ViewQuery<Value> {
  /** Identifies what is read, without the clock: parts with the same key share one request and its cached value. */
  readonly key: string;
  readonly read: Read<Value>;
}
