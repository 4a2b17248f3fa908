import { Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import type { Alerts } from '../../monitoring/alerts/alerts.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { route, toMoment } from '../schemas/common-schemas.ts';
import { AlertsSchema, TestSchema } from '../schemas/control-answers.ts';

/** `GET /api/v1/alerts` returns their state; `POST /api/v1/alerts/test` sends a test. Neither reveals addresses. */
export function alertRoutes(app: TypedApp, alerts: Alerts): void {
  app.get('/api/v1/alerts', {
    ...route(['read', 'admin'], 'The state of the alert rules, and messages not delivered yet.', AlertsSchema),
    handler: async (request) => {
      const { rules, deliveries } = await alerts.status(request.token?.role ?? 'read');
      return {
        rules: rules.map(({ id, on, since, value, n, at }) => ({
          rule: id,
          on,
          since: toMoment(since),
          value,
          samples: n,
          at: toMoment(at),
        })),
        deliveries: deliveries.map(({ webhook, channel, message, attempts, since, nextAt, error }) => ({
          webhook,
          channel: channel ?? ('webhook' as const),
          rule: message.rule,
          status: message.status,
          attempts,
          since: toMoment(since),
          nextAt: toMoment(nextAt),
          error,
        })),
      };
    },
  });

  app.post('/api/v1/alerts/test', {
    ...route(
      ['admin'],
      'Send a test to a webhook of the settings, or to those who get the mails of a rule.',
      TestSchema,
      {
        example: { webhook: 'chat' },
        body: object(
          {
            webhook: Type.Optional(Type.String({ maxLength: 63, description: 'Its id in the settings.' })),
            rule: Type.Optional(
              Type.String({ maxLength: 63, description: 'Id of a rule with mailTo, instead of webhook.' }),
            ),
          },
          { minProperties: 1, maxProperties: 1 },
        ),
      },
    ),
    handler: async (request) => {
      const { webhook, rule = '' } = request.body;
      if (webhook === undefined) {
        const sent = await alerts.testMail(rule);
        if (sent !== null) return { webhook: 'mail', ...sent };
        const hint = 'Use the id of one of alerts.rules that has mailTo.';
        throw new HttpError('not_found', 'there is no such rule, or it sends no mail', hint);
      }
      const outcome = await alerts.test(webhook);
      if (outcome === null) {
        throw new HttpError('not_found', 'there is no such webhook', 'Use an id of alerts.webhooks in the settings.');
      }
      return { webhook, ...outcome };
    },
  });
}
