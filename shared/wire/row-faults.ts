import type { RejectedRow } from './wire-batch.ts';
import type { RowCode } from './wire-codes.ts';

/** The first fault of each row, whatever the order in which columns are looked at rests on. */
export interface RowFaults {
  readonly count: number;
  note(row: number, code: RowCode): void;
  has(row: number): boolean;
  /** By row. */
  list(): RejectedRow[];
}

export function createRowFaults(): RowFaults {
  const faults = new Map<number, RowCode>();
  return {
    get count() {
      return faults.size;
    },
    note(row, code) {
      if (!faults.has(row)) faults.set(row, code);
    },
    has: (row) => faults.has(row),
    list: () => [...faults].sort(([a], [b]) => a - b).map(([row, code]) => ({ row, code })),
  };
}
