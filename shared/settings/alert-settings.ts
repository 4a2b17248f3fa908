import { type Static, Type } from 'typebox';
import { SUMMARY_TIMES } from '../vocabulary/time-names.ts';
import { CONNECTIONS, RESOURCE_TYPES, SCENARIOS } from '../vocabulary/vocabulary.ts';
import { MailAddressSchema } from './report-settings.ts';
import { SecretReferenceSchema } from './secret-reference.ts';

/** For people; without it, they see the id. */
const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });

const WebhookSchema = Type.Object(
  {
    id: Id,
    name: Name,
    url: Type.Optional(Type.String({ minLength: 8, maxLength: 2000 })),
    urlFrom: Type.Optional(SecretReferenceSchema),
    bearerFrom: Type.Optional(SecretReferenceSchema),
  },
  { additionalProperties: false },
);
export type Webhook = Static<typeof WebhookSchema>;

const AlertRuleSchema = Type.Object(
  {
    id: Id,
    name: Name,
    webhooks: Type.Optional(Type.Array(Id, { maxItems: 20 })),
    mailTo: Type.Optional(Type.Array(MailAddressSchema, { minItems: 1, maxItems: 50 })),
    target: Type.Optional(Id),
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    type: Type.Optional(wordOf(RESOURCE_TYPES)),
    connection: Type.Optional(wordOf(CONNECTIONS)),
    scenario: Type.Optional(wordOf(SCENARIOS)),
    site: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    time: Type.Optional(wordOf(SUMMARY_TIMES)),
    statistic: Type.Optional(wordOf(['median', 'p95'] as const)),
    aboveMs: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600_000 })),
    availabilityBelow: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    windowMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
    minSamples: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    breaches: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
    evaluations: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
    hysteresis: Type.Optional(Type.Number({ minimum: 0, maximum: 0.9 })),
  },
  { additionalProperties: false },
);
export type AlertRule = Static<typeof AlertRuleSchema>;

export const AlertsSchema = Type.Object(
  {
    everySeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 3600 })),
    lang: Type.Optional(wordOf(['en', 'de'] as const)),
    dashboardUrl: Type.Optional(Type.String({ minLength: 8, maxLength: 300 })),
    webhooks: Type.Array(WebhookSchema, { maxItems: 20 }),
    rules: Type.Array(AlertRuleSchema, { maxItems: 200 }),
  },
  { additionalProperties: false },
);
export type AlertSettings = Static<typeof AlertsSchema>;

function wordOf<const W extends readonly string[]>(words: W) {
  return Type.Unsafe<W[number]>(Type.Union(words.map((word) => Type.Literal(word))));
}
