import type { SampleColumns } from '../../../shared/sample/sample-columns.ts';
import type { TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { BlockRequest, CellSelection } from './cell-selection.ts';

/** What an engine provides for one range: rollups of the buckets inside, and the samples that no such bucket holds. */
export interface RangeSource {
  /** Called before a pass reads blocks, with all that it will read: an engine may answer them together. */
  readonly prepare?: ((requests: readonly BlockRequest[]) => void) | undefined;
  /** All rollup blocks of one metric. */
  blocks(request: BlockRequest): Iterable<Uint8Array> | Promise<Iterable<Uint8Array>>;
  /**
   * Those of the browsers, each with its calendar month: no bucket is longer.
   * @param named whether the catalog will be asked for their ids
   */
  clientBlocks(selection: CellSelection, named: boolean): Iterable<ClientBlock> | Promise<Iterable<ClientBlock>>;
  /**
   * In the order of `t0`. Can be read repeatedly.
   * @param lasting columns remain valid; otherwise they may be valid only until the next ones are read
   */
  rows(lasting?: boolean): Iterable<SourceRows> | AsyncIterable<SourceRows>;
  /** Called often while rows are processed; throws once the query is cancelled. */
  checkpoint?(): void;
  /** Called after each part of the rows with its `stored`. */
  worked?(samples: number): void;
}

export interface ClientBlock {
  /** See `calendarMonth`. */
  readonly month: number;
  readonly block: Uint8Array;
}

export interface SourceRows {
  readonly columns: SampleColumns;
  /** Rows count if their `at` lies in one of these; null if all do. */
  readonly ranges: readonly TimeRange[] | null;
  /** No row here or in later parts is earlier. */
  readonly t0: number;
  /** Samples that were read for these rows. */
  readonly stored: number;
  /** Whether the columns remain valid. */
  readonly lasting: boolean;
}
