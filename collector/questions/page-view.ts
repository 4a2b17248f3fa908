import { Type } from 'typebox';
import type { StoredSample } from '../../shared/sample/sample.ts';
import type { TimeRange } from '../../shared/vocabulary/dimensions.ts';
import { OVERFLOW_NAME } from '../../shared/vocabulary/wire-limits.ts';
import { type AnswerOf, Count, Milliseconds, Moment, object, orNull, words } from '../analysis/answer-schema.ts';
import { collectFirstSamples, type FirstSamples } from '../storage/passes/collect-first-samples.ts';
import type { ReadingSource } from '../storage/passes/reading-source.ts';
import type { RowPart } from '../storage/passes/row-part.ts';
import type { Parameter } from './parameters.ts';
import { toIso } from './query-context.ts';
import { invalid } from './query-string.ts';
import { question } from './question.ts';
import { SAMPLE, sampleDocument, sampleId, timeOfId } from './sample-schema.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How far back the document is searched, step by step: most are near. */
const LOOK_BACK_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS] as const;
/** How far ahead a page view is followed: an app of one page may go on all day. */
const LOOK_AHEAD_MS = HOUR_MS;
const MAX_REQUESTS = 500;
/** Samples of one millisecond among which an id is looked up. */
const MAX_ALIKE = 10_000;
const MAX_TEXT = 100;

const REASONS = [
  /** Single browsers are shown to admins only. */
  'admins_only',
  /** The sample is no longer kept, or there never was one. */
  'not_found',
  /** No document of this browser and app in the 24 hours before. */
  'no_document',
  /** Several browsers share the number of this one. */
  'shared_browser',
] as const;

const Answer = object({
  /** Why there is no page view; null if there is one. */
  reason: orNull(words(REASONS)),
  /** Start of the document. */
  from: orNull(Moment),
  /** Where it ends, exclusive. */
  to: orNull(Moment),
  /** Why it ends there: the next document of this browser and app, or an hour after the requested sample. */
  end: orNull(words(['next_document', 'limit'])),
  /** In order of their start, the document first. */
  requests: Type.Array(
    object({
      ...SAMPLE,
      /** From the start of the document, ms. */
      offsetMs: Milliseconds,
      /** Whether it is the sample that was asked for. */
      asked: Type.Boolean(),
    }),
  ),
  /** Later requests of the page view that are not listed. */
  omitted: Count,
});
/** `GET /api/v1/page-view`. */
export type PageViewDocument = AnswerOf<typeof Answer>;

/** A request that belongs to the page view. */
type Wanted = { readonly at: number } & (
  | { readonly id: string }
  | { readonly client: string; readonly target: string; readonly source: string }
);

/** An id of `GET /api/v1/samples`, or a browser, an app and a time. */
const WANTED: Parameter<Wanted> = {
  schemas: () => ({
    id: Type.String({ description: 'Of a sample, from /api/v1/samples.' }),
    client: Type.String({
      description: 'Instead of id: the browser’s random number of the month, with target and at.',
      examples: ['c0ffee00-0000-4000-8000-000000000001'],
    }),
    target: Type.String({ description: 'Id of the app.', examples: ['erp'] }),
    at: Type.String({
      description: 'A time during the page view.',
      format: 'date-time',
      examples: ['2026-03-01T09:30:00Z'],
    }),
  }),
  read(query) {
    const [id, client, target, at] = [query.once('id'), query.once('client'), query.once('target'), query.time('at')];
    if (id !== null) {
      if (client !== null || target !== null || at !== null) {
        throw invalid('id is given beside client, target or at', 'Give one or the other.');
      }
      const time = timeOfId(id);
      if (time === null) throw invalid('id is not the id of a sample', 'Use an id from /api/v1/samples.');
      return { at: time, id };
    }
    if (!client || !target || at === null) {
      throw invalid('there is no id', 'Give the id of a sample from /api/v1/samples, or client, target and at.');
    }
    if (client.length > MAX_TEXT || target.length > MAX_TEXT) {
      throw invalid('client or target is too long', `At most ${MAX_TEXT} characters each.`);
    }
    return { at, client, target, source: 'page' };
  },
};

export interface PageViewPlan {
  readonly range: TimeRange;
  readonly wanted: Wanted;
  readonly nameBrowsers: boolean;
}

/** The requests of one page view of one browser, for a waterfall. Shown to those who may see individual browsers. */
export const pageView = question({
  name: 'pageView',
  address: '/api/v1/page-view',
  description: 'The requests of one page view: its document and what followed until the next one.',
  parameters: { wanted: WANTED },
  query: ({ wanted }) => ({ wanted, range: { from: wanted.at, to: wanted.at + 1 } }),
  answer: Answer,
  takesLong: () => true,
  plan: ({ wanted, range }, { nameBrowsers }): PageViewPlan => ({ wanted, range, nameBrowsers }),
  asked: () => null,
  async read(source, { wanted, nameBrowsers }) {
    if (!nameBrowsers) return none('admins_only');
    const owner = await ownerOf(source, wanted);
    if (owner === null) return none('not_found');
    if (owner.client === OVERFLOW_NAME) return none('shared_browser');
    const document = await documentBefore(source, owner, wanted.at);
    if (document === null) return none('no_document');
    return followed(source, owner, document.at, wanted);
  },
});

function none(reason: (typeof REASONS)[number]): PageViewDocument {
  return { reason, from: null, to: null, end: null, requests: [], omitted: 0 };
}

interface Owner {
  readonly client: string;
  readonly target: string;
  readonly source: string;
}

async function ownerOf(source: ReadingSource, wanted: Wanted): Promise<Owner | null> {
  if ('client' in wanted) return wanted;
  const { at, id } = wanted;
  const { samples } = await read(
    source,
    { from: at, to: at + 1 },
    (part) => new Float64Array(part.columns.n),
    MAX_ALIKE,
  );
  const found = samples.find((sample) => sampleId(sample) === id);
  return found === undefined ? null : { client: found.origin.client, target: found.target, source: found.source };
}

async function documentBefore(source: ReadingSource, owner: Owner, at: number): Promise<StoredSample | null> {
  for (const back of LOOK_BACK_MS) {
    const latest = (part: RowPart) => ranked(part, owner, 'document', (time) => -time);
    const [found] = (await read(source, { from: at - back, to: at + 1 }, latest, 1)).samples;
    if (found !== undefined) return found;
  }
  return null;
}

async function followed(source: ReadingSource, owner: Owner, from: number, wanted: Wanted): Promise<PageViewDocument> {
  const limit = wanted.at + LOOK_AHEAD_MS;
  const earliest = (type: string | null) => (part: RowPart) => ranked(part, owner, type, (time) => time);
  const next = (await read(source, { from: from + 1, to: limit }, earliest('document'), 1)).samples[0];
  const to = next?.at ?? limit;
  const { matching, samples } = await read(source, { from, to }, earliest(null), MAX_REQUESTS);
  return {
    reason: null,
    from: toIso(from),
    to: toIso(to),
    end: next === undefined ? 'limit' : 'next_document',
    requests: samples.map((sample) => {
      const shown = sampleDocument(sample, true);
      const asked = 'id' in wanted && shown.id === wanted.id;
      return { ...shown, offsetMs: sample.at - from, asked };
    }),
    omitted: matching - samples.length,
  };
}

async function read(
  source: ReadingSource,
  range: TimeRange,
  ranksOf: (part: RowPart) => Float64Array | null,
  limit: number,
): Promise<FirstSamples> {
  const pass = (await source.open(range, 'fine')).reader().pass();
  const found = collectFirstSamples(pass, null, ranksOf, limit);
  await pass.run();
  return found();
}

/** Ranks the rows of one browser by their time; null if the part has none. @param type null for all */
function ranked(
  { columns }: RowPart,
  { client, target, source }: Owner,
  type: string | null,
  rank: (at: number) => number,
): Float64Array | null {
  const own = columns.origins.map((origin) => origin.client === client);
  if (!own.includes(true)) return null;
  const wanted = [
    { column: columns.text('target'), value: target },
    { column: columns.text('source'), value: source },
    ...(type === null ? [] : [{ column: columns.text('type'), value: type }]),
  ].map(({ column: { strings, codes }, value }) => ({ codes, code: strings.indexOf(value) }));
  if (wanted.some(({ code }) => code < 0)) return null;
  const at = columns.at();
  const origin = columns.origin();
  return at.map((time, row) =>
    own[origin[row] as number] && wanted.every(({ codes, code }) => codes[row] === code) ? rank(time) : Number.NaN,
  );
}
