import type { BatchClaims } from './batch-claims.ts';
import type { Store, StoredSettings, StoredToken } from './store.ts';

/** A store whose control data may be in a shared database instead. */
export interface LocalStore extends Store {
  readonly controlCopy: ControlCopy;
  /** Forwarding begins once it knows how to claim batches. @param open gets the id of this collector */
  claimWith(open: (collector: string) => BatchClaims): void;
  /** The control data of the data folder itself; null if neither settings nor tokens were ever written. */
  readOwnControl(): OwnControl | null;
}

/** The last known settings and tokens of a shared database: with them batches are accepted while it is away. */
export interface ControlCopy {
  /** null if there never was one. */
  read(): ControlCopyData | null;
  write(data: ControlCopyData): void;
}

export interface ControlCopyData {
  readonly settings: StoredSettings | null;
  readonly tokens: readonly StoredToken[];
}

/** Every engine has these tables of control data, with the same columns. */
export const CONTROL_TABLES = ['settings', 'token', 'session', 'saved_view', 'annotation', 'kept'] as const;

/** Rows as they are stored, by table. */
export type OwnControl = Readonly<Record<(typeof CONTROL_TABLES)[number], readonly unknown[]>>;
