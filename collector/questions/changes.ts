import { Type } from 'typebox';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import {
  type AnswerOf,
  Count,
  each,
  KEY,
  MethodSchema,
  Milliseconds,
  object,
  pair,
  words,
} from '../analysis/answer-schema.ts';
import { CHANGE_DIRECTIONS, CHANGE_STATISTICS } from '../analysis/changes/group-change.ts';
import { filters, RANGE, zone } from './parameters.ts';
import { question } from './question.ts';
import { CHANGE_GROUPINGS, CHANGE_MIXES, readChanges } from './read-changes.ts';
import type { WaitsPlan } from './read-waits.ts';

/** A date of the zone asked for. */
const DayText = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });
const GroupChangeSchema = object({
  ...KEY,
  statistic: words(CHANGE_STATISTICS),
  since: DayText,
  sinceInterval: Type.Unsafe<readonly [string, string]>(Type.Array(DayText, { minItems: 2, maxItems: 2 })),
  direction: words(CHANGE_DIRECTIONS),
  before: Milliseconds,
  after: Milliseconds,
  difference: Milliseconds,
  interval: pair,
  pValue: Type.Number({ minimum: 0, maximum: 1 }),
  requests: Count,
});
const Answer = object({
  method: MethodSchema,
  /** Those that began in the range, by each statistic that differs; those that cost or save most waiting first. */
  changes: Type.Array(GroupChangeSchema),
  /** Groups that were tested, and those with too few days to be. */
  series: each(['tested', 'tooFewDays'], Count),
  /** Groups beyond those tested, and their samples. */
  leftOut: each(['cells', 'samples'], Count),
  /**
   * `fixed`: each day is weighted as if every page and site had the same share of it. `daily`: the range begins before the first
   * sample that is kept, so a day with more of the slow pages looks like a slower one.
   */
  mix: words(CHANGE_MIXES),
});
/** `GET /api/v1/changes`. */
export type ChangesDocument = AnswerOf<typeof Answer>;

/** What got lastingly slower or faster, by app, host, host and type, and site. */
export const changes = question({
  name: 'changes',
  address: '/api/v1/changes',
  description:
    'From which day apps, hosts and sites are lastingly slower or faster. All days that are kept are compared; those changes are answered that began in the range.',
  parameters: {
    range: RANGE,
    zone: zone('Time zone in which days begin; default UTC.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: ({ range, zone: name, filters: by }) => ({ range, zone: name ?? 'UTC', filters: by }),
  answer: Answer,
  takesLong: () => true,
  remembered: ({ zone, minGroupSize, freshSince = null }: WaitsPlan) => ({
    range: null,
    zone,
    minGroupSize,
    freshSince,
  }),
  plan: (query, { range, rule }): WaitsPlan => ({ ...query, range, ...rule }),
  asked: ({ range, filters }) => ({ range, filters, by: [...new Set(CHANGE_GROUPINGS.flat())] }),
  read: readChanges,
});
