import { type Static, Type } from 'typebox';
import { DIMENSIONS, toExclusionName } from '../vocabulary/dimensions.ts';
import { object, words } from '../vocabulary/json-schema.ts';
import { FORMATS, MAIL_SECURITY, REPORT_PERIODS, REPORT_VIEWS } from './report-choices.ts';
import { SecretReferenceSchema } from './secret-reference.ts';

const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' });
export const MailAddressSchema = Type.String({ pattern: '^[^\\s<>@,;]{1,64}@[^\\s<>@,;]{1,190}$', maxLength: 255 });

const ReportWebhookSchema = object({
  url: Type.Optional(Type.String({ minLength: 8, maxLength: 2000 })),
  urlFrom: Type.Optional(SecretReferenceSchema),
  bearerFrom: Type.Optional(SecretReferenceSchema),
});

const ScheduledReportSchema = object({
  id: Id,
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'For people; without it, they see the id.' }),
  ),
  cron: Type.String({ minLength: 9, maxLength: 100, description: 'Minute, hour, day, month, weekday.' }),
  zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Time zone, such as Europe/Berlin.' })),
  view: Type.Optional(words(REPORT_VIEWS)),
  period: Type.Optional(words(REPORT_PERIODS)),
  formats: Type.Optional(Type.Array(words(FORMATS), { minItems: 1, maxItems: 6 })),
  lang: Type.Optional(words(['en', 'de'])),
  filters: Type.Optional(
    object(
      Object.fromEntries(
        [...DIMENSIONS, ...DIMENSIONS.map(toExclusionName)].map((name) => [
          name,
          Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 100 })),
        ]),
      ),
    ),
  ),
  first: Type.Optional(words(['median', 'average'])),
  per: Type.Optional(words(['connection', 'request'])),
  businessHours: Type.Optional(Type.String({ pattern: '^[A-Za-z,-]+ +\\d{2}:\\d{2}-\\d{2}:\\d{2}$', maxLength: 60 })),
  outliers: Type.Optional(Type.String({ pattern: '^(none|tukey|cap:[1-9]\\d{0,6})$' })),
  minN: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  folder: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$', maxLength: 200 }),
  ),
  webhook: Type.Optional(ReportWebhookSchema),
  mailTo: Type.Optional(Type.Array(MailAddressSchema, { minItems: 1, maxItems: 50 })),
});
export type ScheduledReport = Static<typeof ScheduledReportSchema>;

const MailSchema = object({
  host: Type.String({ minLength: 1, maxLength: 253 }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  tls: Type.Optional(words(MAIL_SECURITY)),
  from: MailAddressSchema,
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  passwordFrom: Type.Optional(SecretReferenceSchema),
});
export type MailSettings = Static<typeof MailSchema>;

export const ReportsSchema = object({
  organisation: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'In the title of the monthly report.' }),
  ),
  mail: Type.Optional(MailSchema),
  schedule: Type.Array(ScheduledReportSchema, { maxItems: 50 }),
});
export type ReportSettings = Static<typeof ReportsSchema>;
