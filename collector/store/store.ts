import type { BatchOrigin, Sample, StoredSample } from '../../shared/sample/sample.ts';
import type { CellAggregate } from '../../shared/summary/cell-aggregate.ts';
import type { AggregateQuery, SampleQuery } from '../../shared/summary/dimensions.ts';

/**
 * The one interface between the collector and where its data lies. Every method is asynchronous, because an engine
 * may be a server; every method either does what it says or throws a StoreError, and never logs and goes on.
 * One conformance suite (tests/collector/store-conformance.ts) runs against every engine.
 */
export interface Store {
  readonly samples: SampleStore;
  readonly settings: SettingsStore;
  readonly tokens: TokenStore;
  /** Resolves if the store can read and write now; throws a StoreError otherwise. */
  ready(): Promise<void>;
  /** Finishes what is under way, then releases files and locks. Calling it twice is harmless. */
  close(): Promise<void>;
}

export interface SampleStore {
  /**
   * Stores all batches in one transaction and resolves once they are durable (they survive a power cut). A batch
   * whose id is stored already, or comes twice in one call, is `duplicate` and its rows are stored only once.
   * If it throws, none of the batches is stored.
   */
  append(batches: readonly AcceptedBatch[]): Promise<readonly AppendOutcome[]>;
  /** Groups the samples of the range and says whether the distributions inside are exact. Order: by key. */
  aggregate(query: AggregateQuery): Promise<AggregateAnswer>;
  /** Every sample of the range that passes the filters, oldest first, in blocks of at most 5,000. */
  scan(query: SampleQuery): AsyncIterable<readonly StoredSample[]>;
}

/** A validated batch; `samples` hold only accepted rows, their `at` corrected to the collector's clock. */
export interface AcceptedBatch {
  readonly id: string;
  readonly receivedAt: number;
  /** What was added to every `at`, milliseconds. */
  readonly clockCorrection: number;
  readonly origin: BatchOrigin;
  readonly samples: readonly Sample[];
}

export interface AppendOutcome {
  readonly id: string;
  readonly duplicate: boolean;
}

export interface AggregateAnswer {
  readonly exact: boolean;
  /** Largest relative error of a quantile; 0 when exact. */
  readonly bound: number;
  /** SHA-256 over the ids of the batches behind the answer, hexadecimal. */
  readonly dataHash: string;
  readonly cells: readonly CellAggregate[];
}

/** The settings document is opaque here: `shared/settings` validates it before it is written. */
export interface SettingsStore {
  /** The newest revision; null before the first was written. */
  read(): Promise<StoredSettings | null>;
  /**
   * Writes a new revision if `expected` is still the newest (null: if there is none yet), and returns it; returns
   * null where somebody else was faster. Earlier revisions are kept.
   */
  write(document: unknown, expected: number | null, at: number): Promise<StoredSettings | null>;
}

export interface StoredSettings {
  readonly revision: number;
  readonly at: number;
  readonly document: unknown;
}

export const ROLES = ['ingest', 'read', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Tokens are kept as SHA-256 only; the token itself is shown once, by the one who made it. */
export interface TokenStore {
  create(token: StoredToken): Promise<void>;
  findByHash(hash: string): Promise<StoredToken | null>;
  list(): Promise<readonly StoredToken[]>;
  /** True if there was such a token. */
  revoke(id: string): Promise<boolean>;
}

export interface StoredToken {
  readonly id: string;
  readonly role: Role;
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string;
  readonly createdAt: number;
  readonly label: string;
}
