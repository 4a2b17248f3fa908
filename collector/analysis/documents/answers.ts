import type { Change } from '../../../shared/statistics/change.ts';
import type { Peak } from '../../../shared/statistics/peaks.ts';
import type { TimeStatistics } from '../../../shared/statistics/time-statistics.ts';
import type { CellKey } from '../../../shared/vocabulary/dimensions.ts';
import type { Evidence } from '../../reductions/cell-aggregate.ts';
import type { Availability, ProbePath } from '../probes/probe-results.ts';
import type { SummaryCell, SummaryMethod } from '../summary/summary-document.ts';
import type { TableDocument, ViewDocument } from '../tables/table-document.ts';

/** `GET /api/v1/histogram`. Times in milliseconds. */
export interface HistogramDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly HistogramCell[];
}

export interface HistogramCell extends CellKey {
  readonly browsers: number;
  /** Median and mean among them: what to mark. */
  readonly statistics: TimeStatistics;
  /** Four to the octave, the same edges for all data; empty ones between occupied ones are there. */
  readonly bins: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  /** null below 200 values. */
  readonly peaks: readonly Peak[] | null;
}

/** `GET /api/v1/timeline`. */
export interface TimelineDocument {
  readonly method: SummaryMethod;
  /** Where each step begins, RFC 3339: multiples of the step, so the first may begin before `from`. */
  readonly steps: readonly string[];
  readonly stepSeconds: number;
  readonly cells: readonly TimelineCell[];
}

export interface TimelineCell extends CellKey {
  /** One for each step; null where nothing was measured, which is not 0. */
  readonly steps: readonly (TimelineStep | null)[];
}

/** Numbers are null only where `reason` says why. */
export interface TimelineStep {
  readonly n: number | null;
  readonly browsers: number | null;
  readonly median: number | null;
  readonly mean: number | null;
  readonly p25: number | null;
  readonly p75: number | null;
  readonly p95: number | null;
  readonly reason: 'few_browsers' | null;
}

/** `GET /api/v1/compare`. */
export interface CompareDocument {
  /** Of the later side, or the one named `after`. */
  readonly method: SummaryMethod;
  readonly before: Pick<SummaryMethod, 'from' | 'to' | 'filters' | 'dataHash'>;
  /** Largest groups first. */
  readonly cells: readonly CompareCell[];
  /** Smaller groups that were left out. */
  readonly leftOut: number;
}

export interface CompareCell extends CellKey {
  readonly before: TimeStatistics | null;
  readonly after: TimeStatistics | null;
  /** null where a side was not measured. Milliseconds. */
  readonly change: CompareChange | null;
  /** The result in words. */
  readonly text: string;
}

export interface CompareChange extends Change {
  /** Samples of each side that the interval was drawn from: a larger group stands by an even choice. */
  readonly drawnFrom: readonly [before: number, after: number];
}

/** Whether the median differs from the last period's, and what was drawn to tell. */
export interface PeriodChange extends CompareChange {
  /** `sketch`: too many samples to draw browsers, or samples that are gone; requests were drawn from the sketches. */
  readonly from: 'samples' | 'sketch';
}

/** `GET /api/v1/pages`. */
export interface PagesDocument {
  readonly method: SummaryMethod;
  /** By host, template and type; those with most requests. */
  readonly cells: readonly PageCell[];
  /** Pages with fewer requests that were left out, and their samples. */
  readonly leftOut: { readonly cells: number; readonly samples: number };
}

export interface PageCell extends SummaryCell {
  /** Encoded body, bytes; null where no size is known. */
  readonly contentLength: Omit<TimeStatistics, 'keepMeasuring' | 'belowClockStep' | 'medianInterval'> | null;
}

/** `GET /api/v1/evidence`. */
export interface EvidenceDocument {
  readonly method: SummaryMethod;
  readonly cells: readonly EvidenceCell[];
  /** Cache share and bytes fetched again per type; null where the samples are no longer kept, or too many. */
  readonly cache: TableDocument | null;
  readonly askForTiming: readonly TimingAllowance[];
  /** null where the samples are no longer kept, or too many. */
  readonly fleet: Fleet | null;
  /** Why a part above is null. */
  readonly missing: string | null;
}

export interface EvidenceCell extends CellKey {
  readonly samples: number;
  readonly browsers: number;
  readonly evidence: Evidence;
  readonly connections: Readonly<Record<string, number>>;
  readonly status: Readonly<Record<string, number>>;
  /** Why times of usable samples are unknown. */
  readonly unknown: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A host that hides its times from the pages of a target, and what would make it show them. */
export interface TimingAllowance {
  readonly host: string;
  readonly target: string;
  readonly opaque: number;
  readonly samples: number;
  /** Response headers to send, one of them: each allows one origin of the target. */
  readonly headers: readonly string[];
}

/** Counts only: no answer names a browser. */
export interface Fleet {
  readonly browsers: number;
  readonly versions: readonly FleetVersion[];
  /** Browsers by when they were last seen, counted back from `to`; null where small groups are folded: few are in each. */
  readonly lastSeen: Readonly<Record<'hour' | 'day' | 'week' | 'earlier', number>> | null;
  /** Of all batches of the range, whatever the filters; null where small groups are folded: the largest is one browser's. */
  readonly clocks: Readonly<Record<'batches' | 'corrected' | 'largestMs', number>> | null;
}

export interface FleetVersion {
  readonly browser: string;
  /** Major version of the browser. */
  readonly version: string;
  readonly extension: string;
  readonly browsers: number;
  readonly samples: number;
  /** RFC 3339. */
  readonly lastSeen: string;
}

/** `GET /api/v1/probes`: the view of probes, and what is behind it path by path. */
export interface ProbesDocument extends ReportDocument {
  readonly paths: readonly ProbePath[];
  readonly availability: Availability;
  /** Turns that browsers told of, and why some were left out. */
  /** `run` is null where too few browsers are behind it to be shown. */
  readonly turns: { readonly run: number | null; readonly skipped: Readonly<Record<string, number>> };
}

/** `GET /api/v1/report`. */
export interface ReportDocument {
  readonly method: SummaryMethod;
  readonly view: ViewDocument;
}
