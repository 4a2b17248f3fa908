import type { BrowserState } from '../../../shared/wire/browser-status.ts';

/** `GET /api/v1/fleet`: the browsers heard of in a range, as they last said they were. */
export interface FleetDocument extends FleetCounts {
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** There were more browsers than were read: the numbers are of those last heard of. */
  readonly truncated: boolean;
  /** The last heard of first; null for viewers. */
  readonly named: readonly SeenBrowser[] | null;
  /** What browsers told of themselves and was not kept, by why; of the days the range touches (UTC). */
  readonly notKept: readonly NotKept[];
}

export interface NotKept {
  /** See docs/operations.md. */
  readonly reason: string;
  readonly count: number;
}

/** A number is null where fewer browsers are behind it than may be shown. */
export interface FleetCounts {
  readonly browsers: number | null;
  /** `unknown`: its extension is too old to say. */
  readonly states: Readonly<Record<BrowserState | 'unknown', number | null>>;
  /** Browsers whose last batch came with a clock that had to be corrected. */
  readonly clocksWrong: number | null;
  /** Rows that never left a browser, by reason: `full`, or the collector's error code. */
  readonly dropped: readonly FleetLoss[];
  /** Rows the collector refused one by one, by its code. */
  readonly rejected: readonly FleetLoss[];
  /** Entries that never became samples. */
  readonly lost: readonly FleetLoss[];
  readonly sites: readonly FleetSite[];
}

export interface FleetLoss {
  readonly reason: string;
  readonly count: number;
  readonly browsers: number;
}

export interface FleetSite {
  /** Empty where browsers have no label. */
  readonly site: string;
  readonly browsers: number;
  readonly degraded: number | null;
  /** RFC 3339. */
  readonly lastAt: string;
}

/** One browser, for admins. */
export interface SeenBrowser {
  readonly client: string;
  readonly site: string;
  readonly browser: string;
  readonly browserVersion: string;
  readonly extensionVersion: string;
  /** RFC 3339. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** Added to its times, ms. */
  readonly clockCorrection: number;
  /** null where it never said, as the next three. */
  readonly state: BrowserState | null;
  readonly waiting: number | null;
  readonly dropped: number | null;
  readonly lost: number | null;
}
