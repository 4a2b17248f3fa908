import type { ClientInfo } from '../../shared/sample/sample.ts';
import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { BrowserStatus } from '../../shared/wire/browser-status.ts';
import type { IgnoredValue } from '../../shared/wire/wire-codes.ts';
import type { BatchColumns } from './columns/batch-columns.ts';
import { DAY_MS } from './rollups/resolutions.ts';

/** A validated batch; `columns` hold only accepted rows, their `at` corrected to the collector's clock. */
export interface AcceptedBatch {
  /** UUID. */
  readonly id: string;
  readonly receivedAt: number;
  /** Id of the ingest key it was sent with; null for a batch that a command wrote. */
  readonly key?: string | null;
  /** Added to every `at`, ms. */
  readonly clockCorrection: number;
  readonly origin: ClientInfo;
  /** Numbers that became null because they cannot be right, by code. */
  readonly ignored?: Readonly<Partial<Record<IgnoredValue, number>>>;
  /** The browser's report on itself, which is stored for duplicates too; null if it sent none. */
  readonly status?: BrowserStatus | null;
  readonly columns: BatchColumns;
  /** Further rows, which are stored under the site `(other)` (ingest/bounds/cell-bounds.ts). */
  readonly folded?: BatchColumns | null;
  /** Stores its rows under the browser `(other)`, because its key introduced too many (ingest/bounds/batch-bounds.ts). */
  readonly sharesClient?: boolean;
  /** Imported from a recording by an admin: its id is never forgotten, and no browser is registered. */
  readonly imported?: boolean;
}

/**
 * Turns request bodies into batches where they are written; the store knows nothing of either format. The writer's thread
 * looks an ingestion up by its name, so each one must be listed in cli/store-thread.ts.
 */
export interface Ingestion<B, O> {
  readonly name: string;
  /**
   * Called once per writer.
   * @returns ingests one group of bodies; `shift` is added to times of receipt to get the expected time, ms, null while the
   * collector's clock is trusted
   */
  create(writer: BatchWriter): (bodies: B, shift: number | null) => Ingested<O>;
}

export interface Ingested<O> {
  /** For the caller of `SampleStore.ingest`. */
  readonly outcomes: O;
  /** Stored samples. */
  readonly samples: number;
}

export interface BatchWriter {
  /** The newest settings, the same object until they change; null before the first. */
  settings(): Settings | null;
  readonly browsers: KnownBrowsers;
  /**
   * Writes a group in one transaction: all of it or nothing.
   * @param latestNow while the clock is in doubt, the later of wall clock and expected time, epoch ms; otherwise null
   */
  append(batches: readonly AcceptedBatch[], latestNow: number | null): Appended;
}

/** One element per batch of the group. */
export interface Appended {
  readonly duplicates: readonly boolean[];
  /** Bytes of its browser's row if that is new, otherwise 0. */
  readonly newBrowserBytes: readonly number[];
  /** Its bytes of the chunk, including its share of what is written once per group. */
  readonly storedBytes: readonly number[];
}

/** What the store knows of a browser; each takes one primary-key lookup. */
export interface KnownBrowsers {
  /** Added to the times of its last batch, ms; null if it has no row. */
  clockCorrection(client: string): number | null;
  /** Whether rollups have a number for it. */
  isNumbered(client: string): boolean;
}

/**
 * A browser first seen less than this long ago is a newcomer, ms. Anyone with an ingest key can invent one, so newcomers
 * have small budgets and do not count towards groups.
 */
export const NEWCOMER_MS = DAY_MS;
