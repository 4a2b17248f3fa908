import { Type } from 'typebox';
import { TABLE_TIMES } from '../../reductions/request-table.ts';
import { type AnswerOf, Count, Milliseconds, object, orNull, pair, words } from '../answer-schema.ts';

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

const Text = orNull(Type.String());

/** Where it is; null where the finding holds for all of them. */
const FindingPlace = object({
  /** Id of the app. */
  target: Text,
  host: Text,
  type: Text,
  template: Text,
  site: Text,
  /** A single browser's random number of the month; only for those who may see individual browsers. */
  client: Text,
  protocol: Text,
  /** Hours of the day, from inclusive to exclusive, in the answer's time zone. */
  hours: orNull(pair),
});
export type FindingPlace = AnswerOf<typeof FindingPlace>;

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
export const FINDING = {
  kind: words(FINDING_KINDS),
  place: FindingPlace,
  /** The phase in which the time is spent; null if it is more than one. */
  phase: orNull(words(TABLE_TIMES)),
  /** Requests that take longer because of it, and their share of all requests. */
  affectedRequests: Count,
  affectedShare: Type.Number(),
  /** Share of all browsers that have such a request, 0…1; null if it is about one of them, or not known. */
  affectedBrowsersShare: orNull(Type.Number({ minimum: 0, maximum: 1 })),
  /** Over the whole range, if the place were like its peers; 95 % interval. */
  savedMs: Milliseconds,
  savedInterval: pair,
  /** Share of everything that users waited for. */
  savedShare: Type.Number(),
  /** For each affected request. */
  perRequestMs: Milliseconds,
  /** The day from which it holds, `2026-03-01`; null if the range has no beginning of it. */
  since: Text,
  /** Further numbers of its sentence. */
  facts: Type.Record(Type.String(), Type.Number()),
};
const Finding = object(FINDING);
export type Finding = AnswerOf<typeof Finding>;

/** In the order in which they are shown: what would save most comes first. */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => b.savedMs - a.savedMs || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0));
}
