import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SECURITY_HEADERS } from './browser-security.ts';
import { type ErrorCode, HttpError, toHttpError } from './errors.ts';

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    /** Only for documents, which may have several. */
    readonly problems?: HttpError['problems'];
  };
}

const CONTENT_HEADERS = ['content-disposition', 'content-encoding', 'etag'];

/** The one place where an error becomes a response. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = loggedError(request, thrown);
    if (error.statusCode === 401) reply.header('www-authenticate', 'Bearer');
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
    // A response may be refused once it is ready and has set headers of its own.
    for (const name of CONTENT_HEADERS) reply.removeHeader(name);
    reply.headers(SECURITY_HEADERS);
    return reply.code(error.statusCode).send(toErrorBody(error));
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({
      error: {
        code: 'not_found',
        message: 'there is nothing at this address',
        hint: 'Check the path and the method; the API is under /api/v1.',
      },
    } satisfies ErrorBody),
  );
}

/** The client is asked to try again later. */
const REFUSALS: readonly ErrorCode[] = ['busy', 'control_unavailable'];

/**
 * Logs only the collector's own failures, with their cause. Clients that are asked to try again later are counted in
 * /metrics instead, or flooding the collector would flood the log.
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

/** Input that isn't HTTP never reaches Fastify; the response here has the same shape as every other error. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const known = clientError(error.code);
  const body = JSON.stringify(toErrorBody(known));
  const { statusCode } = known;
  socket.end(
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** https://nodejs.org/api/http.html#event-clienterror */
function clientError(code: string | undefined): HttpError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', 'the request did not arrive in time', 'Send it again.');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', 'the headers are too large', 'Send fewer or shorter headers.');
    default:
      return new HttpError('invalid_request', 'this is not HTTP', 'Check the scheme and port of the address.');
  }
}
