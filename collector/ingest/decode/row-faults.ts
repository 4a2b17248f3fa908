import type { RejectedRow } from '../../../shared/wire/wire-batch.ts';
import type { RowCode } from '../../../shared/wire/wire-codes.ts';

/**
 * The first fault of each row, in the order in which columns are validated. A class, as there is one for each batch: V8 gives
 * every object literal with a getter a shape of its own, and these shapes live until a full collection.
 */
export class RowFaults {
  /** Hardly any batch has one. */
  #faults: Map<number, RowCode> | null = null;

  get count(): number {
    return this.#faults?.size ?? 0;
  }

  note(row: number, code: RowCode): void {
    this.#faults ??= new Map();
    if (!this.#faults.has(row)) this.#faults.set(row, code);
  }

  has(row: number): boolean {
    return this.#faults?.has(row) ?? false;
  }

  /** In the order of the rows. */
  list(): RejectedRow[] {
    return [...(this.#faults ?? [])].sort(([a], [b]) => a - b).map(([row, code]) => ({ row, code }));
  }
}
