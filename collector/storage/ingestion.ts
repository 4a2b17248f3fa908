import type { Settings } from '../../shared/settings/settings-schema.ts';
import type { HeardClock } from './clock-watch.ts';
import { DAY_MS } from './rollups/resolutions.ts';
import type { AcceptedBatch } from './store.ts';

/**
 * What turns bodies into batches where they are written. The store knows neither side. Its thread finds the ingestion by its
 * name: each one has to be listed in store-thread.ts.
 */
export interface Ingestion<B, O> {
  readonly name: string;
  /**
   * Called once per writer.
   * @returns takes one group of bodies; `shift` leads from the times of receipt to those expected, ms, null while the
   * collector's clock is believed
   */
  create(writer: BatchWriter): (bodies: B, shift: number | null) => Ingested<O>;
}

export interface Ingested<O> {
  /** For the caller of `SampleStore.ingest`. */
  readonly outcomes: O;
  /** Samples that were stored. */
  readonly samples: number;
  /** Batches refused because the clock is in doubt. */
  readonly putOff: number;
  /** What browsers' clocks say of ours while it is in doubt. */
  readonly heard: readonly HeardClock[];
}

export interface BatchWriter {
  /** The newest settings; null before the first were stored. The same object until they change. */
  settings(): Settings | null;
  readonly standing: BrowserStanding;
  /**
   * Writes a group in one transaction: all of it or nothing.
   * @param latestNow while the clock is in doubt the later of its two readings, epoch ms, else null
   */
  append(batches: readonly AcceptedBatch[], latestNow: number | null): Appended;
}

/** Per batch of the group. */
export interface Appended {
  readonly duplicates: readonly boolean[];
  /** Bytes of its browser's row where that is new, else 0. */
  readonly newBrowserBytes: readonly number[];
  /** Its bytes of the chunk, with its part of what is written once for the group. */
  readonly storedBytes: readonly number[];
}

/** Who may confirm something: anybody with an ingest key can invent browsers, but each takes a day to be known. */
export interface BrowserStanding {
  /** Whether enough browsers are known for a day that only these count. Once true, it stays so. */
  isEstablished(now: number): boolean;
  /**
   * Sites of browsers that are known for a day, each browser's as of its last batch, those with the oldest browser first.
   * Reads the whole table.
   */
  sitesByAge(limit: number): readonly string[];
  /** Costs one look at a primary key. */
  counts(client: string): boolean;
  /**
   * Whether a browser has a say about the collector's clock. One that agrees with neither clock says something only if it
   * was listed before: batches of others that say so are not stored, so they could be invented by the thousand for nothing.
   * Those of standing are believed: after a long downtime a wrong clock is one that they all disagree with, and the clock
   * that was expected is too.
   */
  votesOnClock(client: string, agreesWithEither: boolean): boolean;
  /** Whether a rollup has it, by a number of its own; another such look. */
  isNumbered(client: string): boolean;
}

/**
 * A browser first heard of less than this long ago is a newcomer, ms. Anybody with an ingest key can invent one, so newcomers
 * confirm nothing, have small budgets, and do not count towards groups.
 */
export const NEWCOMER_MS = DAY_MS;
