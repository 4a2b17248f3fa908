import { Type } from 'typebox';
import type { Metrics } from '../../monitoring/metrics/collect-metrics.ts';
import { PROMETHEUS_MEDIA_TYPE, prometheusText } from '../../monitoring/metrics/prometheus-text.ts';
import type { AppDeps } from '../app-deps.ts';
import { ERRORS } from '../schemas/common-schemas.ts';
import type { TypedApp } from '../typed-app.ts';

const TextSchema = Type.Unsafe<string>({ description: 'The text format of Prometheus.' });

/** `GET /metrics`. Bound to loopback, with no proxy in front, it needs no token: whoever asks is on this machine. */
export function metricsRoute(app: TypedApp, { loopbackOnly }: Pick<AppDeps, 'loopbackOnly'>, metrics: Metrics): void {
  app.get('/metrics', {
    config: { allow: loopbackOnly ? 'everyone' : ['read', 'admin'] },
    schema: {
      summary: 'Everything for Prometheus, in its text format.',
      produces: ['text/plain'],
      response: { 200: TextSchema, ...ERRORS },
    },
    handler: async (_request, reply) => {
      const families = await metrics.collect();
      reply.header('content-type', PROMETHEUS_MEDIA_TYPE);
      // Bytes go past the serializer, which would make a JSON text of it.
      return reply.send(Buffer.from(prometheusText(families)) as unknown as string);
    },
  });
}
