import { Type } from 'typebox';
import type { Filters, TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { ASKED_DIMENSIONS } from '../../shared/vocabulary/dimensions.ts';
import { type AnswerOf, Count, MethodSchema, Milliseconds, object } from '../analysis/answer-schema.ts';
import { LANGUAGES, type Language } from '../analysis/text/language.ts';
import { whatIfWords } from '../analysis/text/what-if-words.ts';
import { predictSavings } from '../analysis/what-if/predict-savings.ts';
import { SAVING, type Saving } from '../analysis/what-if/saving.ts';
import { groupId } from '../storage/passes/cell-groups.ts';
import { filters, OPEN_RANGE, oneOf } from './parameters.ts';
import { question } from './question.ts';
import { readWaits } from './read-waits.ts';
import type { ViewerRule } from './visibility/visibility.ts';

const Answer = object({
  method: MethodSchema,
  /** What users waited for in all, ms, and in how many requests over the network. */
  waitedMs: Milliseconds,
  requests: Count,
  /** Share of the range's samples that were read: parts of hours drawn from a long range. */
  readShare: Type.Number({ minimum: 0, maximum: 1 }),
  /** Each by itself; savings of several do not add up. */
  savings: Type.Array(
    object({
      ...SAVING,
      text: object({ title: Type.String(), saves: Type.String(), assumption: Type.String() }),
    }),
  ),
});
/** `GET /api/v1/what-if`. */
export type WhatIfDocument = AnswerOf<typeof Answer>;
/** A saving with its words: what would be done, what it would save, and what that assumes. */
export type WordedSaving = WhatIfDocument['savings'][number];

export interface WhatIfPlan extends ViewerRule {
  readonly range: TimeRange;
  readonly filters: Filters;
  readonly language: Language;
}

/** What well-known remedies would save, from recorded requests alone. */
export const whatIf = question({
  name: 'what-if',
  address: '/api/v1/what-if',
  description: 'What a longer keep-alive timeout, session tickets, TLS 1.3, HTTP/2 and others would save.',
  parameters: {
    range: OPEN_RANGE,
    lang: oneOf(LANGUAGES, 'en', 'Language of the texts.'),
    filters: filters(ASKED_DIMENSIONS),
  },
  query: ({ range, filters: by, lang }) => ({ range, filters: by, language: lang }),
  answer: Answer,
  takesLong: () => true,
  plan: (query, { range, rule }): WhatIfPlan => ({ ...query, range, ...rule }),
  asked: ({ range, filters: by }) => ({ range, filters: by }),
  async read(source, plan) {
    // Nothing here depends on hours or days.
    const { waits, share, folded, method } = await readWaits(source, { ...plan, zone: 'UTC' }, [[], ['site']]);
    const scale = 1 / share;
    const savings = predictSavings(waits, {
      checkpoint: source.checkpoint,
      minBrowsers: plan.minGroupSize,
      isShown: (site) => folded[1]?.folding?.ids.has(groupId([site])) !== true,
    }).map((saving) => ofWholeRange(saving, scale));
    return {
      ...method,
      waitedMs: waits.totalMs * scale,
      requests: Math.round(waits.requests * scale),
      readShare: share,
      savings: savings.map((saving) => ({ ...saving, text: whatIfWords(saving, plan.language) })),
    };
  },
});

/** Counts of what was read, scaled to the range that it was drawn from. */
const COUNTED = ['connections', 'connectionsAfter', 'handshakes', 'full', 'before13', 'http1Requests'];

function ofWholeRange(saving: Saving, scale: number): Saving {
  const { savedMs, savedInterval, affectedRequests, facts } = saving;
  return {
    ...saving,
    affectedRequests: Math.round(affectedRequests * scale),
    savedMs: savedMs === null ? null : savedMs * scale,
    savedInterval: savedInterval === null ? null : [savedInterval[0] * scale, savedInterval[1] * scale],
    facts: Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [name, COUNTED.includes(name) ? Math.round(value * scale) : value]),
    ),
  };
}
