import type { ClientInfo } from '../../../shared/sample/sample.ts';
import {
  type AnyDimension,
  type Filters,
  filteredDimensions,
  type TimeRange,
} from '../../../shared/vocabulary/dimensions.ts';
import type { BrowserStatus, ProbeRun } from '../../../shared/wire/browser-status.ts';
import type { BrowserSets } from './browser-sets.ts';
import { isOfSamples } from './cell-groups.ts';
import type { Kept, StepRange, Within } from './plan-range.ts';
import type { RangeReader, ReaderOptions } from './range-reader.ts';

/** What an engine provides to a reading: one consistent snapshot. */
export interface ReadingSource {
  /**
   * Opens a range to be read by sketches, value by value (`exact`), or sample by sample (`fine`). Small ranges are
   * always read sample by sample. Throws a StoreError if the data are no longer kept or there are too many.
   * @param readings how many passes a `fine` range will get, for the progress; 1 by default
   * @param within parts of the range; all of it by default
   */
  open(range: TimeRange, how: 'sketches' | 'exact' | 'fine', readings?: number, within?: Within): Promise<OpenedRange>;
  /** Steps of an opened range, in order, each read exactly as specified before the next one is asked for. */
  openSteps(steps: readonly StepRange[], how: 'sketches' | 'exact'): (step: number) => Promise<RangeReader>;
  /** Makes sets of the browsers that count, by id, with at most `enough` of a group: that tells if there are enough. */
  countedBrowsers(enough: number, counts: (client: string) => boolean): () => BrowserSets;
  /** From the first sample or rollup to the end of the newest; null if there is none. */
  kept(): Promise<Kept | null>;
  /** Batches received in a range, and how many of them had their clock corrected. */
  clockCorrections(range: TimeRange): Promise<ClockCorrections>;
  readonly fleet: FleetSource;
  /** Throws once the query is cancelled: for work that reads no samples. */
  readonly checkpoint: () => void;
}

/** Sites whose browsers are selected. */
export interface BrowserSites {
  /** All if empty or absent. */
  readonly sites?: readonly string[];
  readonly without?: readonly string[];
}

/** The last state a browser reported. */
export interface StoredBrowser extends Omit<ClientInfo, 'clockStep'> {
  /** First and last contact, epoch ms. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Clock correction of its last batch, ms. */
  readonly clockCorrection: number;
  /** null if it never reported any. */
  readonly status: Omit<BrowserStatus, 'turns'> | null;
}

export interface StoredProbeRun extends ProbeRun {
  readonly client: string;
  readonly site: string;
}

/** Reports of browsers on themselves: written with their batches, kept as long as samples. */
export interface FleetSource {
  /** Browsers seen in a range, latest contact first. */
  browsers(range: TimeRange, sites: BrowserSites, limit: number): Iterable<StoredBrowser>;
  /** Probe runs that began in a range, newest first. @param limit null for all of them */
  probeRuns(range: TimeRange, limit: number | null): Iterable<StoredProbeRun>;
  /** How many browsers were first seen in a range. */
  firstHeard(range: TimeRange): number;
  /** Clients first seen after `since`, epoch ms. */
  freshBrowsers(since: number): ReadonlySet<string>;
  /** Clients first seen at or before `time`, epoch ms. */
  browsersUntil(time: number): ReadonlySet<string>;
  /** Whether every browser seen since then (epoch ms) could be registered. */
  hadRoom(since: number): boolean;
  /** Reports that were not kept on the days the range touches, by reason. */
  notKept(range: TimeRange): readonly { reason: string; count: number }[];
}

export interface OpenedRange {
  /** Of all its samples. Each reader has its own limit on exact values. */
  reader(options?: ReaderOptions): RangeReader;
  readonly exact: boolean;
  /** It has only rows, no rollup blocks. */
  readonly fine: boolean;
  stored(): Promise<StoredData>;
}

/** All data of a range, regardless of filters. */
export interface StoredData {
  readonly samples: number;
  readonly dataHash: string;
}

export interface ClockCorrections {
  /** Batches whose ids are still kept. */
  readonly batches: number;
  readonly corrected: number;
  /** Largest correction either way, ms. */
  readonly largestMs: number;
}

/** How a range has to be opened for a question: some dimensions are known only to samples. */
export function howToOpen({
  by,
  filters,
  exact = false,
}: {
  by?: readonly AnyDimension[];
  filters: Filters;
  exact?: boolean;
}): 'sketches' | 'exact' | 'fine' {
  const named = [...(by ?? []), ...filteredDimensions(filters)];
  return named.some(isOfSamples) ? 'fine' : exact ? 'exact' : 'sketches';
}

/**
 * A computation that runs where the samples are stored: plain data in and out, so that it can run in a thread. The store
 * knows neither question nor answer. Threads look a reading up by its name, so each one must be listed in
 * cli/store-thread.ts.
 */
export interface Reading<Q, A> {
  readonly name: string;
  /** Whether it reads samples however long its range is. Such readings do not delay quick ones. */
  takesLong(question: Q): boolean;
  read(source: ReadingSource, question: Q): Promise<A>;
}
