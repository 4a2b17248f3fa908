import { Type } from 'typebox';
import { type AnswerOf, Count, Milliseconds, object, orNull, pair, words } from '../answer-schema.ts';
import { QUANTITIES } from './quantities.ts';

/**
 * How a place stands out: lastingly against its like, from a day on, a little more each day, or by few requests that take far
 * longer than the others.
 */
export const SHAPES = ['level', 'step', 'drift', 'tail'] as const;
export type Shape = (typeof SHAPES)[number];

/** What would mend it: follows from the quantity and the place. */
export const REMEDIES = [
  'slow_server',
  'slow_third_party',
  'slow_hours',
  'packet_loss',
  'early_close',
  'full_handshakes',
  'inspection',
  'far_site',
  'slow_dns',
  'large_download',
  'held_back',
  'queueing',
  'cold_cache',
  'slow_browser',
  'slow_engine',
  'busy_line',
  'errors',
  'redirects',
  'challenges',
  'unmeasurable',
  'change',
  'slow_group',
] as const;
export type Remedy = (typeof REMEDIES)[number];

const Text = orNull(Type.String());
const Span = orNull(pair);

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
  /** `firefox`, or `firefox 140` where it is one version. */
  engine: Text,
  protocol: Text,
  /** Hours of the day, minutes of each hour and days of the week from Monday 0, from inclusive to exclusive, in the answer's time zone. */
  hours: Span,
  minutes: Span,
  weekdays: Span,
});
export type FindingPlace = AnswerOf<typeof FindingPlace>;

export const ANYWHERE: FindingPlace = {
  target: null,
  host: null,
  type: null,
  template: null,
  site: null,
  client: null,
  engine: null,
  protocol: null,
  hours: null,
  minutes: null,
  weekdays: null,
};

/** Something that users wait for and need not. Times are ms. */
export const FINDING = {
  kind: words(REMEDIES),
  shape: words(SHAPES),
  /** `faster` is good news: what it cost before. */
  direction: words(['slower', 'faster']),
  /** What differs there. */
  quantity: words(QUANTITIES),
  place: FindingPlace,
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
  /** First and last day of it, `2026-03-01`; null if the range has no beginning or end of it. */
  since: Text,
  until: Text,
  /** 95 % interval of the first day; null without one. */
  sinceInterval: orNull(
    Type.Unsafe<readonly [string, string]>(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
  ),
  /** Further numbers of its sentence. */
  facts: Type.Record(Type.String(), Type.Number()),
};
const Finding = object(FINDING);
export type Finding = AnswerOf<typeof Finding>;

/** In the order in which they are shown: what would save most first, good news last. */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  const rank = ({ direction }: Finding) => (direction === 'slower' ? 0 : 1);
  return [...findings].sort(
    (a, b) => rank(a) - rank(b) || b.savedMs - a.savedMs || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0),
  );
}
