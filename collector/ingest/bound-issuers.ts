import { NULL, TEXT_INDEX } from '../../shared/sample/sample-columns.ts';
import type { BatchColumns } from '../storage/columns/batch-columns.ts';

export interface BoundIssuers {
  /** The very same object where all keep their names. */
  readonly columns: BatchColumns;
  /** Rows whose issuer became `(other)`. */
  readonly folded: number;
}

/** Issuers of certificates are the only text of a sample that no list can hold: a fleet meets some dozens of them. */
export function boundIssuers(
  columns: BatchColumns,
  bound: (issuers: readonly string[]) => readonly string[],
): BoundIssuers {
  const issuer = columns.texts[TEXT_INDEX.tlsIssuer];
  if (issuer === undefined) return { columns, folded: 0 };
  const { entries, codes } = issuer;
  // An issuer that no row has must not take another's room.
  const used = new Uint8Array(entries.length);
  for (const code of codes) if (code !== NULL) used[code] = 1;
  const known = used.includes(0) ? entries.map((entry, code) => (used[code] === 1 ? entry : '')) : entries;
  const kept = bound(known);
  if (kept === known) return { columns, folded: 0 };
  const texts = [...columns.texts];
  texts[TEXT_INDEX.tlsIssuer] = { entries: kept, codes };
  const folded = codes.reduce((sum, code) => sum + (code >= 0 && kept[code] !== entries[code] ? 1 : 0), 0);
  return { columns: { ...columns, texts }, folded };
}
