import type { Distribution } from '../../shared/statistics/distribution.ts';
import type { CellKey } from '../../shared/vocabulary/dimensions.ts';
import type { SummaryTime, TimeName } from '../../shared/vocabulary/time-names.ts';
import type { Connection, Exclusion, UnknownReason } from '../../shared/vocabulary/vocabulary.ts';

/** The samples of a cell, each in exactly one class. */
export interface Evidence {
  readonly usable: number;
  readonly opaque: number;
  readonly cache: number;
  readonly excluded: Readonly<Partial<Record<Exclusion, number>>>;
}

/** The name under which `status` counts responses whose code the browser hides. */
export const HIDDEN_STATUS = '(hidden)';
/** Stands for all reasons that only one browser engine has: viewers of a folded fleet see no more detail. */
export const OF_ENGINE = '(of the browser)';

/** Set-up phases mean something only where a connection was made; the zeros of reused ones belong to "per request". */
export const NEW_ONLY: ReadonlySet<TimeName> = new Set<TimeName>(['dns', 'tcp', 'tls']);

/** `wait` − the median `tcp` of new connections from the same site to the same host. */
export interface ReusedServerShare {
  readonly share: Distribution;
  /** How many samples have borrowed; `none` found nothing to borrow and are not in `share`. */
  readonly basis: Readonly<Record<'site' | 'none', number>>;
}

/**
 * Everything known about the samples of one group, before any statistic is drawn. A store engine produces it, exact
 * or sketched; `summarizeCell` turns it into the summary's cell. Times are microseconds.
 */
export interface CellAggregate {
  readonly key: CellKey;
  readonly samples: number;
  /** Distinct browsers behind the cell, in the month that has most of them; null if the engine cannot tell. */
  readonly browsers: number | null;
  /** See BrowserCount. */
  readonly browsersMonth?: string;
  readonly evidence: Evidence;
  readonly connections: Readonly<Partial<Record<Connection, number>>>;
  /** All samples by HTTP status; `(hidden)` if the browser hides it. */
  readonly status: Readonly<Record<string, number>>;
  /** Usable samples only; `dns`, `tcp` and `tls` of new connections only. */
  readonly times: Readonly<Record<SummaryTime, Distribution>>;
  /** Why times of usable samples are null. */
  readonly unknown: Readonly<Partial<Record<TimeName, Readonly<Partial<Record<UnknownReason, number>>>>>>;
  /** dns + tcp + tls of usable new connections. */
  readonly setupPerConnection: Distribution;
  /** The same over all usable network requests, where a reused connection counts as 0. */
  readonly setupPerRequest: Distribution;
  /** `ttlb` − set-up of usable samples (set-up 0 unless new): what the gap's slow group is taken from. */
  readonly ttlbWithoutSetup: Distribution;
  /** Usable samples whose set-up is unknown, or may not have occurred: they enter the gap as 0 and are counted here. */
  readonly setupUnknown: number;
  /**
   * `wait` − `tcp` within one sample, on usable new connections where that is defined (not on h3, Early Hints or an
   * uncorrected Firefox stamp). Negative values are kept.
   */
  readonly serverShare: Distribution;
  /** The same for usable reused connections, whose round trip has to be borrowed from their site's new ones. */
  readonly reusedServerShare: ReusedServerShare;
  /** One network round trip per usable sample that has one: its own `tcp` if new, the borrowed one if reused. */
  readonly roundTrip: Distribution;
  /**
   * The part of all waits that was one round trip each, µs: Σ min(round trip, wait), with the median `tcp` from the request's site
   * to its host, or else the median of `roundTrip`. The median stands even for a request that has its own: a connect that was retransmitted
   * after a second is already in `tcp`, and no packet of the response took that long. null if no round trip is known.
   */
  readonly waitRoundTrips: number | null;
  /** Usable samples whose known phases, as far as in `times`, add up to `ttlb`: all of the wait is accounted for. */
  readonly complete: number;
  /** Resolution of the timers behind the cell, µs; the coarsest if they differ. */
  readonly clockStep: number | null;
}
