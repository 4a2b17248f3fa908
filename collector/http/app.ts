import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyReply } from 'fastify';
import { createBodyParser } from '../ingest/body-parser.ts';
import { CLIENT_LIMITS, createClientAccounts } from '../ingest/client-accounts.ts';
import { createGroupCommit } from '../ingest/group-commit.ts';
import { createInflater } from '../ingest/inflate.ts';
import { createIngestBodies } from '../ingest/ingest-bodies.ts';
import { IntakeGate } from '../ingest/intake.ts';
import { createStoreRoom } from '../ingest/store-room.ts';
import { createAlerts } from '../monitoring/alerts/alerts.ts';
import { createMetrics } from '../monitoring/metrics/collect-metrics.ts';
import { intakeFamilies } from '../monitoring/metrics/intake-families.ts';
import { pushMetrics } from '../monitoring/metrics/push-metrics.ts';
import { meterRequests } from '../monitoring/metrics/request-meters.ts';
import { unsentFamilies } from '../monitoring/metrics/unsent-families.ts';
import { createOutgoing } from '../outgoing/outgoing.ts';
import { createReportRenderer } from '../reports/report-renderer.ts';
import { createReportSchedule } from '../reports/schedule/report-schedule.ts';
import type { AppDeps } from './app-deps.ts';
import { authenticate } from './auth/authenticate.ts';
import { chargeStranger } from './auth/charge-stranger.ts';
import { refuseStrangers, SAFE_METHODS } from './auth/refuse-strangers.ts';
import { createSessions } from './auth/sessions.ts';
import { connectionLimits } from './bound-connections.ts';
import { handshakeLimits } from './bound-handshakes.ts';
import { answerClientError } from './client-errors.ts';
import { closeConnectionsWhenClosing } from './close-connections.ts';
import { type BoundedServer, createBoundedServer } from './create-bounded-server.ts';
import { handleErrors, toErrorBody } from './error-handler.ts';
import { HttpError, toHttpError } from './errors.ts';
import { BATCH_ROUTE, MAX_SMALL_BODY_BYTES, readJsonBodies } from './json-body.ts';
import { loggerOptions } from './logger-options.ts';
import { alertRoutes } from './routes/alerts.ts';
import { batchesRoute } from './routes/batches.ts';
import { clockRoute } from './routes/clock.ts';
import { dashboardRoute } from './routes/dashboard.ts';
import { exportRoute } from './routes/export.ts';
import { extensionSettingsRoute } from './routes/extension-settings.ts';
import { healthRoutes } from './routes/health.ts';
import { installRoutes } from './routes/install.ts';
import { metricsRoute } from './routes/metrics.ts';
import { openApiRoute } from './routes/openapi.ts';
import { questionRoutes } from './routes/questions.ts';
import { reportRoute } from './routes/report.ts';
import { reportRunsRoutes } from './routes/report-runs.ts';
import { sessionRoutes } from './routes/session.ts';
import { settingsRoutes } from './routes/settings.ts';
import { settingsHistoryRoutes } from './routes/settings-history.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { securityHeaders } from './security-headers.ts';
import type { TypedApp } from './typed-app.ts';
import { boundUnsentAnswers, UnsentAnswers } from './unsent-answers.ts';

/** A whole request, headers and body, has to be here by then, ms. */
const REQUEST_TIMEOUT_MS = 30_000;

/** The collector's HTTP side, complete and not listening. Close it before the store. */
export async function buildApp(deps: AppDeps): Promise<TypedApp> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, trustProxy: trusted } = deps;
  // Fastify calls the factory at once, and listens with no server but this one.
  let bounded: BoundedServer | null = null;
  const app: TypedApp = Fastify({
    ...loggerOptions(deps.log),
    serverFactory: (handle) => {
      const behindProxy = trusted !== false;
      bounded = createBoundedServer(handle, {
        ...deps,
        requestTimeoutMs,
        connectionLimits: deps.connectionLimits ?? connectionLimits(behindProxy),
        handshakeLimits: deps.handshakeLimits ?? handshakeLimits(behindProxy, deps.tls),
      });
      return bounded.server;
    },
    trustProxy: typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : trusted,
    bodyLimit: MAX_SMALL_BODY_BYTES,
    forceCloseConnections: 'idle',
    // Who has a connection open while we close is still served; closing it is what tells him.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // An address that can't be decoded never reaches a route.
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      const known = toHttpError(error);
      reply.code(known.statusCode).send(toErrorBody(known));
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  // Answers are written as they are: a serializer made from the schema would drop or coerce what the schema forgot.
  // The tests hold answers and schemas together instead.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));

  const { clientLimits = CLIENT_LIMITS } = deps;
  const accounts = createClientAccounts(clientLimits);
  const gate = new IntakeGate(accounts, deps.clock, deps.maxBytesInFlight);
  const storeRoom = createStoreRoom({
    freeSpace: deps.store.upkeep.freeSpace,
    quotas: accounts.quotas,
    reserve: clientLimits.storage.reserve,
    clock: deps.clock,
    failed: (error) => app.log.error({ err: error }, 'the free space is not known'),
  });
  readJsonBodies(app, gate, createInflater());
  const unsent = new UnsentAnswers(deps.unsentLimits);
  boundUnsentAnswers(app, unsent);
  handleErrors(app);
  securityHeaders(app);
  refuseStrangers(app, deps.loopbackOnly);

  closeConnectionsWhenClosing(app);
  const sessions = createSessions(deps.store.sessions, deps.clock);
  app.addHook('onRoute', (route) => {
    if (route.config?.allow === undefined) throw new Error(`route ${route.url} does not say who may call it`);
  });
  app.decorateRequest('token', null);
  app.addHook('onRequest', async (request, reply) => {
    const allow = request.routeOptions.config.allow ?? 'everyone';
    if (allow === 'everyone') return;
    try {
      request.token = await authenticate(request, allow, deps.store.tokens, sessions);
    } catch (error) {
      if (error instanceof HttpError) chargeStranger(gate, request, reply);
      throw error;
    }
    // Every browser has such a key, and may poll with it as often as its address may send batches, which are charged by the byte.
    // One that was reset meanwhile has no address any more.
    if (request.routeOptions.url === BATCH_ROUTE) storeRoom.batchArrives();
    else if (request.token.role === 'ingest' && request.ip !== undefined)
      gate.chargeRequest(request.token.id, request.ip);
    if (request.token.role === 'admin' && !SAFE_METHODS.has(request.method)) gate.chargeChange(request.token.id);
  });

  const commit = createGroupCommit(createIngestBodies(deps.store.samples));
  const parser = createBodyParser(deps.parseThread ?? null);
  app.addHook('onClose', async () => {
    await commit.drain();
    await parser.close();
  });

  const meters = meterRequests(app);
  const outgoing = deps.outgoing ?? createOutgoing();
  const alerts = createAlerts({
    ...deps,
    outgoing,
    failed: (error) => app.log.error({ err: error }, 'alerts are behind'),
  });
  app.addHook('onListen', async () => alerts.start());
  app.addHook('onClose', () => alerts.stop());
  const metrics = createMetrics({
    ...deps,
    others: () => [
      ...meters.families(),
      ...intakeFamilies(gate, accounts, deps.clock(), {
        dropped: bounded?.dropped() ?? 0,
        displaced: bounded?.displaced() ?? 0,
      }),
      ...unsentFamilies(unsent),
      ...alerts.families(),
      ...push.families(),
    ],
  });
  const push = pushMetrics(deps, metrics, (error) => app.log.error({ err: error }, 'metrics were not pushed'));
  app.addHook('onListen', () => push.start());
  app.addHook('onClose', () => push.stop());
  app.addHook('onClose', async () => metrics.stop());

  const renderer = createReportRenderer(deps.reportThread ?? null);
  const schedule = createReportSchedule({
    ...deps,
    outgoing,
    renderer,
    folder: deps.reportsFolder ?? 'reports',
    failed: (error) => app.log.error({ err: error }, 'scheduled reports are behind'),
  });
  app.addHook('onListen', async () => schedule.start());
  app.addHook('onClose', async () => {
    await schedule.stop();
    await renderer.close();
  });

  await openApiRoute(app, deps.version);
  healthRoutes(app, { ...deps, storeRoom });
  batchesRoute(app, { ...deps, commit, parser, meters, storeRoom });
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
  clockRoute(app, deps);
  sessionRoutes(app, { ...deps, gate, sessions });
  installRoutes(app, deps);
  await dashboardRoute(app, deps);
  return app;
}
