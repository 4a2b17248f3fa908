import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import Fastify, { type FastifyReply } from 'fastify';
import { AdmissionControl, CLIENT_LIMITS } from '../ingest/admission/admission.ts';
import { createDiskReserve } from '../ingest/admission/disk-reserve.ts';
import { createGroupCommit } from '../ingest/group-commit.ts';
import { createInflater } from '../ingest/inflate.ts';
import { createIngestBodies } from '../ingest/ingest-bodies.ts';
import { createAlerts } from '../monitoring/alerts/alerts.ts';
import { createMetrics } from '../monitoring/metrics/collect-metrics.ts';
import { intakeFamilies, unsentFamilies } from '../monitoring/metrics/intake-families.ts';
import { meterRequests } from '../monitoring/metrics/request-meters.ts';
import { pushMetrics } from '../monitoring/otlp/push-metrics.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { createReportRenderer } from '../reports/report-renderer.ts';
import { createReportSchedule } from '../reports/schedule/report-schedule.ts';
import type { AppDeps, TypedApp } from './api/app-deps.ts';
import { refuseForeignRequests, securityHeaders } from './api/browser-security.ts';
import { answerClientError, handleErrors, toErrorBody } from './api/error-handler.ts';
import { toHttpError } from './api/errors.ts';
import { MAX_SMALL_BODY_BYTES, readJsonBodies } from './api/json-body.ts';
import { boundUnsentAnswers, UnsentAnswers } from './api/unsent-answers.ts';
import { authenticateRequests } from './auth/authenticate.ts';
import { createSessions } from './auth/sessions.ts';
import { type BoundedServer, createBoundedServer } from './connections/bounded-server.ts';
import { alertRoutes } from './routes/alerts.ts';
import { annotationRoutes } from './routes/annotations.ts';
import { batchesRoute } from './routes/batches.ts';
import { dashboardRoute } from './routes/dashboard.ts';
import { exportRoute } from './routes/export.ts';
import { extensionSettingsRoute } from './routes/extension-settings.ts';
import { clockRoute, collectorRoute, healthRoutes, metricsRoute } from './routes/health.ts';
import { installRoutes } from './routes/install.ts';
import { openApiRoute } from './routes/openapi.ts';
import { packagesRoutes } from './routes/packages.ts';
import { questionRoutes } from './routes/questions.ts';
import { reportRoute } from './routes/report.ts';
import { reportRunsRoutes } from './routes/report-runs.ts';
import { sessionRoutes } from './routes/session.ts';
import { settingsHistoryRoutes, settingsRoutes } from './routes/settings.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { viewRoutes } from './routes/views.ts';

/** Time for a whole request, headers and body, to arrive, ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The complete HTTP side of the collector, not yet listening. Close it before the store. */
export async function buildApp(deps: AppDeps): Promise<TypedApp> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, trustProxy: trusted } = deps;
  // Fastify calls the factory at once, and listens only with this server.
  let bounded: BoundedServer | null = null;
  const app: TypedApp = Fastify({
    ...loggerOptions(deps.log),
    serverFactory: (handle) => {
      bounded = createBoundedServer(handle, { ...deps, requestTimeoutMs });
      return bounded.server;
    },
    trustProxy: typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted,
    bodyLimit: MAX_SMALL_BODY_BYTES,
    forceCloseConnections: 'idle',
    // While closing, open connections are still served; the last response says `connection: close`.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // A URL that can't be decoded never reaches a route.
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      const known = toHttpError(error);
      reply.code(known.statusCode).send(toErrorBody(known));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  // Responses are sent as they are: a serializer compiled from the schema would drop or coerce fields that the schema
  // lacks. Tests compare responses with their schemas instead.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  const { clientLimits = CLIENT_LIMITS } = deps;
  const admission = new AdmissionControl(clientLimits, deps.maxBytesInFlight);
  const diskReserve = createDiskReserve({
    freeSpace: deps.store.maintenance.freeSpace,
    quotas: admission,
    reserve: clientLimits.reserve,
    clock: deps.clock,
    failed: (error) => app.log.error({ err: error }, 'cannot read the free disk space'),
  });
  readJsonBodies(app, admission, createInflater());
  const unsent = new UnsentAnswers(deps.unsentLimits);
  boundUnsentAnswers(app, unsent);
  handleErrors(app);
  securityHeaders(app);
  refuseForeignRequests(app, deps.loopbackOnly);
  closeConnectionsWhenClosing(app);
  const sessions = createSessions(deps.store.sessions, deps.clock);
  authenticateRequests(app, { tokens: deps.store.tokens, sessions, admission });

  const commit = createGroupCommit(createIngestBodies(deps.store.samples));
  app.addHook('onClose', () => commit.drain());

  const meters = meterRequests(app);
  const outgoing = deps.outgoing ?? createOutgoing();
  const alerts = createAlerts({
    ...deps,
    outgoing,
    failed: (error) => app.log.error({ err: error }, 'alert evaluation failed'),
  });
  app.addHook('onListen', async () => alerts.start());
  app.addHook('onClose', () => alerts.stop());
  const metrics = createMetrics({
    ...deps,
    others: async () => [
      ...meters.families(),
      ...(await intakeFamilies(admission, bounded?.dropped() ?? 0)),
      ...unsentFamilies(unsent),
      ...alerts.families(),
      ...push.families(),
    ],
  });
  const push = pushMetrics(deps, metrics, (error) => app.log.error({ err: error }, 'metrics could not be pushed'));
  app.addHook('onListen', () => push.start());
  app.addHook('onClose', () => push.stop());
  app.addHook('onClose', async () => metrics.stop());

  const renderer = createReportRenderer(deps.reportThread ?? null);
  const schedule = createReportSchedule({
    ...deps,
    outgoing,
    renderer,
    folder: deps.reportsFolder ?? 'reports',
    failed: (error) => app.log.error({ err: error }, 'scheduled reports failed'),
  });
  app.addHook('onListen', async () => schedule.start());
  app.addHook('onClose', async () => {
    await schedule.stop();
    await renderer.close();
  });

  await openApiRoute(app, deps.version);
  healthRoutes(app, { ...deps, diskReserve });
  batchesRoute(app, { ...deps, commit, meters, diskReserve });
  extensionSettingsRoute(app, deps);
  settingsRoutes(app, deps);
  const asking = { ...deps, unsent };
  questionRoutes(app, asking);
  reportRoute(app, { ...asking, renderer });
  reportRunsRoutes(app, schedule);
  exportRoute(app, asking);
  metricsRoute(app, deps, metrics);
  alertRoutes(app, alerts);
  settingsHistoryRoutes(app, deps);
  tokenRoutes(app, deps);
  viewRoutes(app, deps);
  annotationRoutes(app, deps);
  clockRoute(app, deps);
  collectorRoute(app, deps);
  sessionRoutes(app, { ...deps, admission, sessions });
  installRoutes(app, deps);
  packagesRoutes(app, deps);
  await dashboardRoute(app, deps);
  return app;
}

/** The log holds method and route of a request, never address, user agent, headers or query: those identify a user. */
function loggerOptions(log: NodeJS.WritableStream | null): Pick<FastifyServerOptions, 'logger'> {
  if (log === null) return { logger: false };
  return {
    logger: {
      level: 'warn',
      stream: log,
      serializers: {
        req: (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions?.url ?? null }),
        res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
      },
    },
  };
}

/**
 * Closing ends only idle connections. One with a request in progress would stay open for its keep-alive time and delay
 * the end of the process by as much, so the last responses say `connection: close`.
 */
function closeConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  // A callback, not a promise: every batch passes through here.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}
