import { type Static, Type } from 'typebox';
import { object, orNull, words } from '../vocabulary/json-schema.ts';
import { RESOURCE_TYPES } from '../vocabulary/vocabulary.ts';
import { AlertsSchema } from './alert-settings.ts';
import { ExtensionProbesSchema, ProbesSchema } from './probe-settings.ts';
import { ReportsSchema } from './report-settings.ts';
import { SitesSchema } from './site-settings.ts';

const ExclusionSchema = object(
  {
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    type: Type.Optional(words(RESOURCE_TYPES)),
  },
  { minProperties: 1 },
);

/**
 * A collector's settings document. Unknown names are refused, so that a misspelt setting is an error rather than a silent
 * default. The extension imports the types only: typebox needs a Function constructor.
 */
const TargetSchema = object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$', description: 'Short id, part of every sample.' }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  match: Type.Array(Type.String({ minLength: 3, maxLength: 300 }), {
    minItems: 1,
    maxItems: 50,
    description: 'URL match patterns of the pages to watch, such as https://erp.example.com/*',
  }),
  templateRules: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: 'Path shapes to fold, such as /users/{user}; the first match wins.',
    }),
  ),
  serverTimingMetrics: Type.Optional(
    Type.Array(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$" }), {
      maxItems: 32,
      description: 'Names of Server-Timing metrics to keep.',
    }),
  ),
  exclude: Type.Optional(
    Type.Array(ExclusionSchema, {
      maxItems: 100,
      description: 'Requests that are counted but excluded from times, such as health checks.',
    }),
  ),
  unlockTimings: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      maxItems: 50,
      description:
        "Other hosts, subdomains included, whose timings this app's pages may see although the host does not allow it. The pages' own scripts see them too: docs/privacy.md.",
    }),
  ),
});
export type Target = Static<typeof TargetSchema>;

/** Samples are accepted up to 7 days late, so none of their days may be gone by then. */
const MIN_RETENTION_DAYS = 8;
const MAX_RETENTION_DAYS = 36_500;
const Days = { minimum: MIN_RETENTION_DAYS, maximum: MAX_RETENTION_DAYS };

const RetentionSchema = object({
  sampleDays: Type.Optional(Type.Integer({ ...Days, description: 'How long individual samples are kept.' })),
  hourDays: Type.Optional(Type.Integer({ ...Days, description: 'How long hourly data is kept.' })),
  dayDays: Type.Optional(Type.Integer({ ...Days, description: 'How long daily data is kept.' })),
  monthDays: Type.Optional(
    orNull(Type.Integer(Days), { description: 'How long monthly data is kept; null is forever.' }),
  ),
});

export const SettingsSchema = object({
  version: Type.Literal(1),
  targets: Type.Array(TargetSchema, { maxItems: 200 }),
  delivery: Type.Optional(
    object({
      intervalSeconds: Type.Integer({
        minimum: 1,
        maximum: 3600,
        description: 'Longest time queued samples wait before they are sent.',
      }),
    }),
  ),
  probes: Type.Optional(ProbesSchema),
  alerts: Type.Optional(AlertsSchema),
  reports: Type.Optional(ReportsSchema),
  sites: Type.Optional(SitesSchema),
  retention: Type.Optional(RetentionSchema),
  privacy: Type.Optional(
    object({
      foldSmallGroups: Type.Boolean({
        description:
          'Whether numbers based on fewer than 5 browsers are hidden from viewers, directly and by subtraction.',
      }),
    }),
  ),
});
export type Settings = Static<typeof SettingsSchema>;

/** `GET /api/v1/extension-settings`: only what a browser needs. */
export const ExtensionSettingsSchema = object({
  version: Type.Literal(1),
  revision: Type.Integer({ minimum: 0 }),
  targets: Type.Array(TargetSchema),
  delivery: object({ intervalSeconds: Type.Integer({ minimum: 1, maximum: 3600 }) }),
  probes: Type.Optional(ExtensionProbesSchema),
  typical: Type.Optional(
    Type.Array(
      object({
        target: Type.String(),
        type: Type.String(),
        medianMs: Type.Number({ description: 'Median ttlb of the last 24 full hours, to two significant digits.' }),
        browsers: Type.Integer({ minimum: 5 }),
      }),
    ),
  ),
});
export type ExtensionSettings = Static<typeof ExtensionSettingsSchema>;
/** The median over all of an app's browsers; only sent if it covers at least five. */
export type TypicalTime = NonNullable<ExtensionSettings['typical']>[number];

export const EMPTY_SETTINGS: Settings = { version: 1, targets: [] };
export const DEFAULT_DELIVERY_SECONDS = 60;
