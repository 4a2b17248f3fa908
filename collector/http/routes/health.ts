import { type Static, Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import type { DiskReserve } from '../../ingest/admission/disk-reserve.ts';
import type { Metrics } from '../../monitoring/metrics/collect-metrics.ts';
import { PROMETHEUS_MEDIA_TYPE, prometheusText } from '../../monitoring/metrics/prometheus-text.ts';
import type { Backlog, Store } from '../../storage/store.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { route, toMoment } from '../schemas/common-schemas.ts';
import { BacklogSchema, ClockSchema, CollectorSchema, ControlSchema } from '../schemas/control-answers.ts';

const OK = { status: 'ok' } as const;
const StatusSchema = object({ status: Type.Literal('ok') });
const ReadySchema = object({
  status: Type.Literal('ok'),
  control: Type.Optional(ControlSchema),
  backlog: Type.Optional(BacklogSchema),
});

/** `/readyz` may be polled at any rate; it accesses the disk at most once in this time, ms. */
const CHECK_EVERY_MS = 1000;

/** `/healthz`: the process responds. `/readyz`: the store wrote and read something within the last second, and has space for batches. */
export function healthRoutes(
  app: TypedApp,
  {
    store,
    clock,
    diskReserve,
  }: Pick<AppDeps, 'store' | 'clock'> & { readonly diskReserve: Pick<DiskReserve, 'check'> },
): void {
  let checked: { readonly at: number; readonly answer: Promise<void> } | null = null;
  app.get('/healthz', route('everyone', '200 while the process answers.', StatusSchema), async () => OK);
  app.get('/readyz', route('everyone', '200 while the store reads and writes.', ReadySchema), async () => {
    const now = clock();
    if (checked === null || Math.abs(now - checked.at) >= CHECK_EVERY_MS)
      checked = { at: now, answer: store.ready().then(() => diskReserve.check()) };
    await checked.answer;
    const control = controlAt(store);
    const backlog = backlogOf(await store.maintenance.backlog());
    return {
      ...OK,
      ...(control === null ? {} : { control }),
      ...(backlog === null ? {} : { backlog }),
    };
  });
}

function backlogOf(backlog: Backlog | null): Static<typeof BacklogSchema> | null {
  if (backlog === null) return null;
  const { samples, bytes, oldest } = backlog;
  return { samples, bytes, oldest: toMoment(oldest) };
}

/** The control database that collectors share; null without one. */
function controlAt(store: Store): Static<typeof ControlSchema> | null {
  const status = store.controlStatus();
  return status === null ? null : { reachable: status.awaySince === null, leads: status.leads };
}

/** `GET /api/v1/collector`: where settings and samples are, if not in the data folder, for the settings page. */
export function collectorRoute(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/collector', {
    ...route(
      ['read', 'admin'],
      'The database of settings, tokens and alerts that collectors share, and the samples that wait to be forwarded to ClickHouse; null where these are in the data folder.',
      CollectorSchema,
    ),
    handler: async () => ({ shared: controlAt(store), backlog: backlogOf(await store.maintenance.backlog()) }),
  });
}

/** `GET /api/v1/clock`: whether the clock is trusted. The dashboard shows admins a banner while it is not. */
export function clockRoute(app: TypedApp, { store }: Pick<AppDeps, 'store'>): void {
  app.get('/api/v1/clock', route(['admin'], 'Whether the collector trusts its clock.', ClockSchema), async () => {
    const { now, expected } = await store.clock.status();
    return { now: toMoment(now), expected: toMoment(expected) };
  });
}

const TextSchema = Type.Unsafe<string>({ description: 'The Prometheus text format.' });

/** `GET /metrics`. Bound to loopback without a proxy it needs no token: all requests then come from this machine. */
export function metricsRoute(app: TypedApp, { loopbackOnly }: Pick<AppDeps, 'loopbackOnly'>, metrics: Metrics): void {
  app.get('/metrics', {
    ...route(
      loopbackOnly ? 'everyone' : ['read', 'admin'],
      'Everything for Prometheus, in its text format.',
      TextSchema,
      { produces: ['text/plain'] },
    ),
    handler: async (_request, reply) => {
      const families = await metrics.collect();
      reply.header('content-type', PROMETHEUS_MEDIA_TYPE);
      // Bytes bypass the serializer, which would turn the text into a JSON string.
      return reply.send(Buffer.from(prometheusText(families)) as unknown as string);
    },
  });
}
