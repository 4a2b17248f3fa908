import type { TableTime } from '../../reductions/request-table.ts';

export const FINDING_KINDS = [
  'slow_server',
  'slow_hours',
  'packet_loss',
  'early_close',
  'full_handshakes',
  'inspection',
  'far_site',
  'slow_dns',
  'large_download',
  'queueing',
  'cold_cache',
  'slow_third_party',
  'slow_browser',
  'busy_line',
  'errors',
  'redirects',
  'change',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Where it is; null where the finding holds for all of them. */
export interface FindingPlace {
  /** Id of the app. */
  readonly target: string | null;
  readonly host: string | null;
  readonly type: string | null;
  readonly template: string | null;
  readonly site: string | null;
  /** A single browser's random number of the month; only for those who may see individual browsers. */
  readonly client: string | null;
  readonly protocol: string | null;
  /** Hours of the day, from inclusive to exclusive, in the answer's time zone. */
  readonly hours: readonly [from: number, to: number] | null;
}

export const ANYWHERE: FindingPlace = {
  target: null,
  host: null,
  type: null,
  template: null,
  site: null,
  client: null,
  protocol: null,
  hours: null,
};

/** Something that users wait for and need not. Times are ms. */
export interface Finding {
  readonly kind: FindingKind;
  readonly place: FindingPlace;
  /** The phase in which the time is spent; null if it is more than one. */
  readonly phase: TableTime | null;
  /** Requests that take longer because of it, and their share of all requests. */
  readonly affectedRequests: number;
  readonly affectedShare: number;
  /** Share of all browsers that have such a request, 0…1; null if it is about one of them, or not known. */
  readonly affectedBrowsersShare: number | null;
  /** Over the whole range, if the place were like its peers; 95 % interval. */
  readonly savedMs: number;
  readonly savedInterval: readonly [number, number];
  /** Share of everything that users waited for. */
  readonly savedShare: number;
  /** For each affected request. */
  readonly perRequestMs: number;
  /** The day from which it holds, `2026-03-01`; null if the range has no beginning of it. */
  readonly since: string | null;
  /** Further numbers of its sentence. */
  readonly facts: Readonly<Record<string, number>>;
}

/** In the order in which they are shown: what would save most comes first. */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => b.savedMs - a.savedMs || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}
