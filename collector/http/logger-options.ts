import type { FastifyRequest, FastifyServerOptions } from 'fastify';

/**
 * What the log may say of a request: method and route, never address, user agent, headers or query, because those
 * tell who a user is.
 */
export function loggerOptions(log: NodeJS.WritableStream | null): Pick<FastifyServerOptions, 'logger'> {
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
