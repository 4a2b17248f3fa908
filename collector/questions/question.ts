import type { TSchema } from 'typebox';
import { SKETCH_BOUND } from '../../shared/statistics/sketch-buckets.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import type { AnswerOf } from '../analysis/answer-schema.ts';
import type { FoldedCells } from '../analysis/summary/summary-document.ts';
import { type JsonBytes, joinJson, writeJson } from '../lib/json-bytes.ts';
import type { OpenedRange, Reading, ReadingSource } from '../storage/passes/reading-source.ts';
import { StoreError } from '../storage/store-error.ts';
import { type DeclaredParameters, parseParameters, querystringSchema, type ReadParameters } from './parameters.ts';
import { type Asked, type ComputeMethod, type Prepared, prepare, type QueryContext } from './query-context.ts';
import type { QueryString } from './query-string.ts';
import { type DecidedBy, rememberAnswer } from './remembered-answers.ts';
import type { Folded } from './visibility/fold-small-groups.ts';

/** What a question computes where the data are: its document, with the facts that `method` is written from. */
export type Computed<D> = D extends { readonly method: unknown } ? ComputeMethod & Omit<D, 'method'> : D;

interface Ranged {
  readonly range: TimeRange;
}

interface Definition<P extends DeclaredParameters, T extends TSchema, Q extends Ranged, Plan> {
  /** Name of the reading that the store's threads run. */
  readonly name: string;
  /** Path of its HTTP route; null if only reports use it. */
  readonly address: string | null;
  /** One line for OpenAPI. */
  readonly description: string;
  readonly parameters: P;
  /** Makes a query from its parameters. Throws a QueryError. */
  query(given: ReadParameters<P>): Q;
  readonly answer: T;
  /** Whether it reads samples however long its range is; such questions use the long lane: quick ones do not wait. */
  takesLong(plan: Plan): boolean;
  /** The samples that decide its answer, if that is worth remembering. */
  remembered?(plan: Plan): DecidedBy;
  /** Adds what the settings and the viewer decide. Plain data: it may be sent to another thread. */
  plan(query: Q, prepared: Prepared): Plan | Promise<Plan>;
  /** What `method` reports as requested; null for an answer without a method. */
  asked(plan: Plan): Asked | null;
  /** Runs where the data are. Throws a StoreError. */
  read(source: ReadingSource, plan: Plan): Promise<Computed<AnswerOf<T>>>;
}

/** The part of a question that is independent of its types. */
export interface AnyQuestion
  extends Pick<Definition<DeclaredParameters, TSchema, never, never>, 'name' | 'address' | 'description' | 'answer'> {
  readonly querystring: TSchema;
  /** For the store's threads. */
  readonly reading: Reading<never, WrittenAnswer>;
  /** Throws a QueryError, or a StoreError. */
  respond(context: QueryContext, given: QueryString, now: number): Promise<JsonBytes<unknown>>;
}

export interface Question<P extends DeclaredParameters, T extends TSchema, Q extends Ranged, Plan>
  extends AnyQuestion,
    Definition<P, T, Q, Plan> {
  readonly answer: T;
  /** Throws a QueryError. */
  parse(given: QueryString, now: number): Q;
  /** Throws a StoreError, or a QueryError if only the settings or the data show that the query is invalid. */
  ask(context: QueryContext, query: Q): Promise<JsonBytes<AnswerOf<T>>>;
  /** The same for a plan that has been made. */
  answerTo(context: QueryContext, prepared: Prepared, plan: Plan): Promise<JsonBytes<AnswerOf<T>>>;
}

/** Declares one question, with everything about it in one file. registry.ts lists them. */
export function question<const P extends DeclaredParameters, T extends TSchema, Q extends Ranged, Plan>(
  definition: Definition<P, T, Q, Plan>,
): Question<P, T, Q, Plan> {
  const { name, parameters } = definition;
  const reading: Reading<Plan, WrittenAnswer> = {
    name,
    takesLong: definition.takesLong,
    read: async (source, plan) => writeAnswer((await definition.read(source, plan)) as object),
  };
  async function answerTo(context: QueryContext, prepared: Prepared, plan: Plan): Promise<JsonBytes<AnswerOf<T>>> {
    const read = () => context.store.samples.read(reading, plan, context);
    const decided = definition.remembered?.(plan);
    const { method, rest } = await (decided === undefined
      ? read()
      : rememberAnswer(context, name, plan, decided, read));
    const asked = definition.asked(plan);
    const front = asked === null || method === null ? {} : { method: prepared.method(asked, method) };
    return joinJson(writeJson(front), rest) as JsonBytes<AnswerOf<T>>;
  }
  async function ask(context: QueryContext, query: Q): Promise<JsonBytes<AnswerOf<T>>> {
    const prepared = await prepare(context, query.range);
    return answerTo(context, prepared, await definition.plan(query, prepared));
  }

  const parse = (given: QueryString, now: number) => definition.query(parseParameters(parameters, given, now));
  return {
    ...definition,
    reading,
    querystring: querystringSchema(parameters),
    parse,
    ask,
    answerTo,
    respond: async (context, given, now) => ask(context, parse(given, now)),
  };
}

/** An answer as it leaves the thread that computed it: all of it is JSON except `method`. */
export interface WrittenAnswer {
  /** null for an answer without a method. */
  readonly method: ComputeMethod | null;
  readonly rest: JsonBytes<object>;
}

export function writeAnswer(answer: object): WrittenAnswer {
  if (!('dataHash' in answer)) return { method: null, rest: writeJson(answer) };
  const { exact, bound, dataHash, folded, ...rest } = answer as ComputeMethod;
  return { method: { exact, bound, dataHash, folded }, rest: writeJson(rest) };
}

/** @param exact whether every value was read and kept */
export async function describeMethod(
  opened: OpenedRange,
  folded: FoldedCells | null,
  exact = opened.exact,
): Promise<ComputeMethod> {
  const { dataHash } = await opened.stored();
  return { exact, bound: exact ? 0 : SKETCH_BOUND, dataHash, folded };
}

export function foldedCells({ folding }: Folded, below: number): FoldedCells | null {
  return folding === null ? null : { below, shownTogether: !folding.hidden };
}

/** Limits on groups, and on steps across all groups: they take memory until the answer is sent. */
const MAX_GROUPS = 10_000;
const MAX_GROUP_STEPS = 100_000;

/**
 * Throws StoreError `too_many_groups`: leaving out groups silently would distort the totals.
 * @param steps of each group
 */
export function refuseLargeAnswer(groups: number, steps = 1): void {
  if (groups <= MAX_GROUPS && groups * steps <= MAX_GROUP_STEPS) return;
  throw new StoreError(
    'too_many_groups',
    steps === 1 ? `the answer has ${groups} groups` : `the answer has ${groups} groups of ${steps} steps each`,
    `At most ${steps === 1 ? MAX_GROUPS : `${MAX_GROUP_STEPS} steps together`}: group by fewer dimensions, or filter.`,
  );
}
