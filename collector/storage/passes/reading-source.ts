import type { AnyDimension, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { CellCatalog } from '../rollups/cell-catalog.ts';
import type { StoredBrowser, StoredProbeRun } from '../store.ts';
import { isOfSamples } from './cell-groups.ts';
import type { RangeSource } from './range-reader.ts';

/** What an engine offers to a reading: one consistent snapshot from beginning to end. */
export interface ReadingSource {
  /**
   * A range ready to be read: by sketches, value by value (`exact`), or `fine`, sample by sample. Small ranges are read
   * sample by sample anyway. Throws a StoreError where what is asked for is not kept any more, or too much.
   * @param readings how often a `fine` range will be read, 1 unless given: progress is told by it
   * @param within parts of the range; all of it unless given
   */
  open(range: TimeRange, how: 'sketches' | 'exact' | 'fine', readings?: number, within?: Within): OpenedRange;
  /** A part of what was opened, read as it is told. */
  openPart(range: TimeRange, how: 'sketches' | 'exact', within?: Within): RangeSource;
  readonly catalog: CellCatalog;
  /** From the first sample or rollup to the end of the newest; null where there is none. */
  kept(): TimeRange | null;
  /** Batches received in a range whose clock had to be corrected. */
  clockCorrections(range: TimeRange): ClockCorrections;
  readonly fleet: FleetSource;
  /** Throws once nobody waits for the answer: for what reads no samples. */
  readonly checkpoint: () => void;
}

/** What browsers said of themselves: written with their batches, kept as long as samples. */
export interface FleetSource {
  /** Heard of in a range, the last heard of first; of all sites where none is named. */
  browsers(range: TimeRange, sites: readonly string[], limit: number): Iterable<StoredBrowser>;
  /** Turns of probes that began in a range, the newest first. */
  probeRuns(range: TimeRange, limit: number): Iterable<StoredProbeRun>;
  /** How many browsers were first heard of in a range. */
  firstHeard(range: TimeRange): number;
  /** Clients first heard of after `since`, epoch ms. */
  freshBrowsers(since: number): ReadonlySet<string>;
  /** Clients first heard of until then, epoch ms. */
  browsersUntil(time: number): ReadonlySet<string>;
  /** Whether every browser heard of since then (epoch ms) could be listed. */
  hadRoom(since: number): boolean;
  /** What was not kept on the days that the range touches, by reason. */
  notKept(range: TimeRange): readonly { reason: string; count: number }[];
}

export interface OpenedRange extends RangeSource {
  readonly exact: boolean;
  /** It has no packs, only rows. */
  readonly fine: boolean;
  readonly dataHash: string;
  /** In the range, filters aside. */
  readonly samples: number;
}

export interface ClockCorrections {
  /** Batches whose ids are still remembered. */
  readonly batches: number;
  readonly corrected: number;
  /** Largest correction either way, ms. */
  readonly largestMs: number;
}

/** How a range has to be opened for a question: what only samples know is read from them. */
export function howToOpen({
  by,
  filters,
  exact = false,
}: {
  by?: readonly AnyDimension[];
  filters: Filters;
  exact?: boolean;
}): 'sketches' | 'exact' | 'fine' {
  const named = [...(by ?? []), ...(Object.keys(filters) as AnyDimension[])];
  return named.some(isOfSamples) ? 'fine' : exact ? 'exact' : 'sketches';
}

/** The parts of a range that count, apart and in order, such as its business hours; all of it where null. */
export type Within = readonly TimeRange[] | null;

/** What of those parts lies in a range; null where all of it does. */
export function withinPart({ from, to }: TimeRange, within: Within): Within {
  if (within === null) return null;
  return within
    .map((part) => ({ from: Math.max(part.from, from), to: Math.min(part.to, to) }))
    .filter((part) => part.from < part.to);
}

/**
 * Something computed from samples where they are stored: plain data in, plain data out, so that it can run in a thread. The
 * store knows neither question nor answer. Threads find a reading by its name: each one has to be listed in store-thread.ts.
 */
export interface Reading<Q, A> {
  readonly name: string;
  /** Whether it reads samples however long its range is. Those run beside the quick ones, not in front of them. */
  takesLong(question: Q): boolean;
  read(source: ReadingSource, question: Q): A;
}
