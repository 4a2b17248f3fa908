import { type Static, Type } from 'typebox';
import { object, orNull, words } from '../../../shared/vocabulary/json-schema.ts';
import { ROLES } from '../../storage/store.ts';

// What the dashboard’s settings, banners and saved views show; pages import the types alone: TypeBox is not for browsers.

export const Moment = Type.String({ format: 'date-time' });

export const AlertsSchema = object({
  rules: Type.Array(
    object({
      rule: Type.String(),
      on: Type.Boolean(),
      since: orNull(Moment, { description: 'When it last went on or off.' }),
      value: orNull(Type.Number(), {
        description: 'At the last check; null: too few samples, or withheld from viewers.',
      }),
      samples: orNull(Type.Integer(), {
        description: 'At the last check; null for viewers where small groups are folded.',
      }),
      at: orNull(Moment, { description: 'Time of the last check.' }),
    }),
  ),
  deliveries: Type.Array(
    object({
      webhook: Type.String({ description: '`mail` for a message that goes by mail.' }),
      channel: Type.Unsafe<'webhook' | 'mail'>({ type: 'string', enum: ['webhook', 'mail'] }),
      rule: Type.String(),
      status: Type.String(),
      attempts: Type.Integer(),
      since: Moment,
      nextAt: Moment,
      error: orNull(Type.String()),
    }),
    { description: 'Not delivered yet.' },
  ),
});
export type AlertsAnswer = Static<typeof AlertsSchema>;

export const TestSchema = object({
  webhook: Type.String({ description: '`mail` for a test by mail.' }),
  delivered: Type.Boolean(),
  status: orNull(Type.Integer(), { description: 'HTTP status; null without an answer.' }),
  error: orNull(Type.String()),
});
export type TestAnswer = Static<typeof TestSchema>;

export const RunsSchema = object({
  reports: Type.Array(object({ report: Type.String(), next: orNull(Moment) }), {
    description: 'The scheduled reports, and when each is due next.',
  }),
  runs: Type.Array(
    object({
      report: Type.String(),
      due: Moment,
      state: Type.String({ description: 'waiting, done or failed' }),
      attempts: Type.Integer(),
      nextAt: orNull(Moment),
      endedAt: orNull(Moment),
      done: Type.Array(Type.String(), { description: 'Channels it was delivered by: folder, webhook, mail.' }),
      errors: Type.Record(Type.String(), Type.String(), {
        description: 'Latest failure by channel: the message for admins, only its code for others.',
      }),
      files: Type.Array(Type.String()),
    }),
    { description: 'The newest first, at most 200.' },
  ),
});
export type RunsAnswer = Static<typeof RunsSchema>;

/** Opaque here: only the dashboard reads it. Neither another address nor a fragment, which may hold a token. */
export const VIEW_QUERY = Type.String({
  maxLength: 2000,
  pattern: '^(\\?[!"$-~]*)?$',
  description: 'Query string of the dashboard’s address, `?` included.',
});
export const ViewSchema = object({
  id: Type.String(),
  name: Type.String(),
  query: VIEW_QUERY,
  /** When it was last saved, RFC 3339, and by the token of which label. */
  at: Moment,
  author: Type.String(),
});
export type SavedView = Static<typeof ViewSchema>;

export const RoleSchema = words(ROLES);
const TokenSchema = object({
  id: Type.String(),
  role: RoleSchema,
  label: Type.String(),
  /** RFC 3339. */
  createdAt: Type.String(),
  /** Whether it is the token of this request. */
  current: Type.Boolean(),
});
export const TokensSchema = object({ tokens: Type.Array(TokenSchema) });
export type TokensAnswer = Static<typeof TokensSchema>;

export const PackagesSchema = object({
  /** Null if nothing has been packaged. */
  packaged: orNull(
    object({
      version: Type.String(),
      collector: orNull(Type.String(), { description: 'The address that the packages have of it; null if none.' }),
      signingKey: Type.String({ description: 'The file to keep a copy of.' }),
    }),
  ),
  /** Host permissions that the settings need and the packages lack. */
  missing: Type.Array(Type.String()),
});
export type PackagesAnswer = Static<typeof PackagesSchema>;

export const PolicySchema = object({
  file: Type.String({ description: 'A name for it.' }),
  text: Type.String({ description: 'The policy, with the key in it.' }),
  places: Type.Array(object({ system: Type.String(), place: Type.String() }), { description: 'Where it belongs.' }),
});
export type PolicyAnswer = Static<typeof PolicySchema>;

export const REVISION = {
  revision: Type.Integer({ minimum: 1 }),
  /** RFC 3339. */
  at: Type.String(),
  /** The label of the token that wrote it, or `command line`; empty if unknown. */
  author: Type.String(),
};
export const RevisionsSchema = object({ revisions: Type.Array(object(REVISION)) });
export type RevisionsAnswer = Static<typeof RevisionsSchema>;

export const ControlSchema = object({
  reachable: Type.Boolean({ description: 'Batches are accepted while it is not.' }),
  leads: Type.Boolean({ description: 'Whether this collector runs alerts and scheduled reports.' }),
});
export const BacklogSchema = object(
  {
    samples: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    oldest: orNull(Type.String(), { description: 'Time of the oldest of them, RFC 3339.' }),
  },
  { description: 'Samples that wait to be forwarded to ClickHouse.' },
);
/** null where settings or samples are in the data folder. */
export const CollectorSchema = object({ shared: orNull(ControlSchema), backlog: orNull(BacklogSchema) });
export type CollectorAnswer = Static<typeof CollectorSchema>;

export const ClockSchema = object({
  now: Type.String({ description: 'The collector’s clock, RFC 3339.' }),
  expected: orNull(Type.String(), {
    description: 'The expected time while the clock is in doubt and nothing is deleted; null while it is trusted.',
  }),
});
export type ClockAnswer = Static<typeof ClockSchema>;
