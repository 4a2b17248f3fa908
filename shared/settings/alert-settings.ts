import { type Static, Type } from 'typebox';
import { object, words } from '../vocabulary/json-schema.ts';
import { SUMMARY_TIMES } from '../vocabulary/time-names.ts';
import { CONNECTIONS, RESOURCE_TYPES, SCENARIOS } from '../vocabulary/vocabulary.ts';
import { MailAddressSchema } from './report-settings.ts';
import { SecretReferenceSchema } from './secret-reference.ts';

/** For people; without it, they see the id. */
const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });

const WebhookSchema = object({
  id: Id,
  name: Name,
  url: Type.Optional(Type.String({ minLength: 8, maxLength: 2000 })),
  urlFrom: Type.Optional(SecretReferenceSchema),
  bearerFrom: Type.Optional(SecretReferenceSchema),
});
export type Webhook = Static<typeof WebhookSchema>;

const AlertRuleSchema = object({
  id: Id,
  name: Name,
  webhooks: Type.Optional(Type.Array(Id, { maxItems: 20 })),
  mailTo: Type.Optional(Type.Array(MailAddressSchema, { minItems: 1, maxItems: 50 })),
  target: Type.Optional(Id),
  host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  type: Type.Optional(words(RESOURCE_TYPES)),
  connection: Type.Optional(words(CONNECTIONS)),
  scenario: Type.Optional(words(SCENARIOS)),
  site: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  journey: Type.Optional(Type.String({ pattern: '^(\\*|[a-z0-9][a-z0-9-]{0,62})$' })),
  eachSite: Type.Optional(Type.Boolean()),
  time: Type.Optional(words(SUMMARY_TIMES)),
  statistic: Type.Optional(words(['median', 'p95'])),
  aboveMs: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600_000 })),
  availabilityBelow: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  windowMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
  minSamples: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  breaches: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  evaluations: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  hysteresis: Type.Optional(Type.Number({ minimum: 0, maximum: 0.9 })),
});
export type AlertRule = Static<typeof AlertRuleSchema>;

export const AlertsSchema = object({
  everySeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 3600 })),
  lang: Type.Optional(words(['en', 'de'])),
  dashboardUrl: Type.Optional(Type.String({ minLength: 8, maxLength: 300 })),
  webhooks: Type.Array(WebhookSchema, { maxItems: 20 }),
  rules: Type.Array(AlertRuleSchema, { maxItems: 200 }),
});
export type AlertSettings = Static<typeof AlertsSchema>;
