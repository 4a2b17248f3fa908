import type { AnyDimension, CellKey, Filters, TimeRange } from '../../../shared/vocabulary/dimensions.ts';
import type { SummaryTime } from '../../../shared/vocabulary/time-names.ts';
import type { Measure } from '../rollups/measures.ts';
import type { PlainDistribution } from './collectors.ts';

/** A question as plain data, so that another thread can answer it. */
export interface PlainQuery {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly by: readonly AnyDimension[];
  /** Read every value instead of sketches. */
  readonly exact: boolean;
}

export interface PlainDistributionQuery extends PlainQuery {
  readonly time: SummaryTime;
}

interface PlainMethod {
  readonly exact: boolean;
  readonly dataHash: string;
  readonly samples: number;
}

export interface PlainAnswer extends PlainMethod {
  readonly cells: readonly PlainCell[];
}

export interface PlainCell {
  readonly key: CellKey;
  /** See row-counters.ts. */
  readonly counters: readonly (readonly [name: string, count: number])[];
  readonly browsers: number;
  readonly values: Readonly<Record<Measure, PlainDistribution>>;
  /** `ttlb` of all that is not on a new connection; beside `values.ttlbWithoutSetup` it is that of all. */
  readonly withoutSetup: readonly PlainDistribution[];
  readonly reusedWaits: readonly ReusedWaits[];
  /** All samples by connection. */
  readonly connections: readonly (readonly [name: string, count: number])[];
  /** Usable ones on reused connections, each of which paid 0 for its set-up. */
  readonly reusedUsable: number;
}

/** Waits on reused connections that took the same route, and the round trip they borrow from new ones there. */
export interface ReusedWaits {
  /** null where only their number was asked for. */
  readonly waits: PlainDistribution | null;
  readonly n: number;
  /** Median, µs; null where no new connection took that route. */
  readonly roundTrip: number | null;
  readonly from: 'browser' | 'site' | 'none';
}

export interface PlainDistributionAnswer extends PlainMethod {
  readonly cells: readonly { readonly key: CellKey; readonly values: PlainDistribution }[];
}
