import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ErrorCode, type HttpError, toHttpError } from './errors.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    /** Only where several things are wrong with one document. */
    readonly problems?: HttpError['problems'];
  };
}

const CONTENT_HEADERS = ['content-disposition', 'content-encoding', 'etag'];

/** The one place where an error becomes an answer. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = loggedError(request, thrown);
    if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    // An answer may be refused when it is ready, with headers of its own.
    for (const name of CONTENT_HEADERS) reply.removeHeader(name);
    reply.headers(SECURITY_HEADERS);
    return reply.code(error.statusCode).send(toErrorBody(error));
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({
      error: {
        code: 'not_found',
        message: 'there is nothing at this address',
        hint: 'Check the path and the method; the interface lies under /api/v1.',
      },
    } satisfies ErrorBody),
  );
}

/** A client is told to come back. */
const REFUSALS: readonly ErrorCode[] = ['busy', 'clock_in_doubt'];

/**
 * Only what is our fault is logged, with its cause. A client that was told to come back later is counted in /metrics instead:
 * otherwise flooding the collector would flood the log.
 */
export function loggedError(request: FastifyRequest, thrown: unknown): HttpError {
  const error = toHttpError(thrown);
  const isOurs = error.statusCode >= 500 && !REFUSALS.includes(error.code);
  if (isOurs) request.log.error({ req: request, err: thrown, code: error.code }, 'request failed');
  return error;
}

export function toErrorBody({ code, message, hint, problems }: HttpError): ErrorBody {
  return { error: { code, message, hint, ...(problems === null ? {} : { problems }) } };
}
