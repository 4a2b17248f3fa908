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
import { CHANGE_GROUPINGS, CHANGE_MIXES, type ChangesPlan, readChanges, testedRange } from './read-changes.ts';

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
  /** The latest of each group, by each statistic that differs; those that cost or save most waiting first. */
  changes: Type.Array(GroupChangeSchema),
  /** Groups, by one test for both statistics: those tested, and those with too few days to be. */
  series: each(['tested', 'tooFewDays'], Count),
  /** Groups beyond those tested, and their samples. */
  leftOut: each(['cells', 'samples'], Count),
  /**
   * `fixed`: each day is weighted as if every page and site had the same share of it. `daily`: samples are no longer kept, so a
   * day with more of the slow pages looks like a slower one.
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
    'From which day apps, hosts and sites are lastingly slower or faster. Ask for at least 8 days; of more than 92, the last 92 are tested, and `method.from` says so.',
  parameters: {
    range: RANGE,
    zone: zone('Time zone in which days begin; default UTC.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: (given) => given,
  answer: Answer,
  takesLong: () => true,
  plan: (query, { range, rule }): ChangesPlan => ({ ...query, range: testedRange(range), ...rule }),
  asked: ({ range, filters }) => ({ range, filters, by: [...new Set(CHANGE_GROUPINGS.flat())] }),
  async read(source, plan) {
    const { answers, ...found } = await readChanges(source, plan);
    const left = answers.map(({ leftOut }) => leftOut);
    return {
      exact: answers.every(({ exact }) => exact),
      bound: Math.max(...answers.map(({ bound }) => bound)),
      dataHash: (answers[0] as (typeof answers)[number]).dataHash,
      folded: answers.find(({ folded }) => folded !== null)?.folded ?? null,
      ...found,
      leftOut: {
        cells: left.reduce((sum, { cells }) => sum + cells, 0),
        samples: left.reduce((sum, { samples }) => sum + samples, 0),
      },
    };
  },
});
