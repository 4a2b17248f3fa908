import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorBody } from './error-handler.ts';
import { HttpError } from './errors.ts';

/** What isn't even HTTP never reaches Fastify: answered here, in the same shape as everything else. */
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
      return new HttpError('request_timeout', 'the request was not complete in time', 'Send it again.');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', 'the headers are too large', 'Send fewer or shorter ones.');
    default:
      return new HttpError('invalid_request', 'this is not HTTP', 'Check scheme and port of the address.');
  }
}
