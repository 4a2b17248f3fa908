import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES } from '../../../shared/vocabulary/wire-limits.ts';
import type { AdmissionControl, AdmittedRequest } from '../../ingest/admission/admission.ts';
import { REFUSED_BODY_COST } from '../../ingest/admission/costs.ts';
import { ReceivedBody } from '../../ingest/group-commit.ts';
import { InflatedTooLarge, type Inflater, NotGzip } from '../../ingest/inflate.ts';
import type { TypedApp } from './app-deps.ts';
import { HttpError } from './errors.ts';

/** The only route that decompresses: it needs an ingest key, while anyone can try to sign in. */
export const BATCH_ROUTE = '/api/v1/batches';
/** The default body limit; other bodies hold only a few values. */
export const MAX_SMALL_BODY_BYTES = 4096;

/**
 * JSON bodies: plain on every route, or gzip for batches, whose route gets the bytes themselves and the memory reserved for
 * them. Memory is reserved as a body arrives, and again as it is inflated. An announced length reserves none, but one over the
 * route's limit is refused before anything is read.
 */
export function readJsonBodies(app: TypedApp, admission: AdmissionControl, inflater: Inflater): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    // Unknown routes don't read bodies.
    if (request.is404) return undefined;
    // Reset while its key was being looked up: the connection no longer has an address, and its body may never end.
    if (payload.destroyed || request.ip === undefined) throw gone();
    const isBatch = request.routeOptions.url === BATCH_ROUTE;
    const key = request.token?.id ?? '';
    const admitted = isBatch ? await admission.admitBatch(key, request.ip) : admission.admitOther(key, request.ip);
    const encoding = request.headers['content-encoding'] ?? 'identity';
    try {
      const read = await readBytes(request, payload, admitted);
      if (isBatch) return new ReceivedBody(await decompress(read, encoding, inflater, admitted), admitted);
      admitted.release();
      return parseJson(read, encoding);
    } catch (error) {
      admitted.release();
      throw error;
    }
  });
}

/**
 * Fastify's own `parseAs` without its copy of each body: a body mostly arrives in one piece, a buffer of its own, and
 * node:http holds it to the announced length. Thousands of copies a second made V8 collect the whole heap several times a
 * second.
 */
function readBytes(
  { headers, routeOptions: { bodyLimit } }: FastifyRequest,
  payload: IncomingMessage,
  admitted: AdmittedRequest,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const end = (error: Error | null) => {
      payload.off('data', onData);
      payload.off('end', onEnd);
      payload.off('error', onError);
      payload.off('close', onClose);
      // Otherwise the error of a connection that is cut now would be unhandled.
      payload.on('error', () => {});
      const [first] = pieces;
      if (error !== null) reject(error);
      else resolve(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length));
    };
    const onData = (piece: Buffer) => {
      length += piece.length;
      try {
        if (length > bodyLimit) throw tooLarge(bodyLimit, admitted.isBatch);
        admitted.receive(piece.length);
        pieces.push(piece);
      } catch (error) {
        end(error as Error);
      }
    };
    const onEnd = () => end(null);
    const onError = (error: Error) => end(Object.assign(error, { statusCode: 400 }));
    const onClose = () => end(gone());
    if (Number(headers['content-length'] ?? 0) > bodyLimit) {
      reject(tooLarge(bodyLimit, admitted.isBatch));
      return;
    }
    payload.on('data', onData);
    payload.on('end', onEnd);
    payload.on('error', onError);
    payload.on('close', onClose);
  });
}

function tooLarge(limit: number, isBatch: boolean): HttpError {
  const hint = isBatch ? 'Send fewer rows per batch, or use gzip.' : 'Send a smaller document.';
  return new HttpError('batch_too_large', `the body is larger than ${limit} bytes`, hint);
}

function gone(): HttpError {
  return new HttpError('cancelled', 'the connection was closed before the body was read', 'Send the request again.');
}

async function decompress(
  body: Buffer,
  encoding: string,
  inflater: Inflater,
  admitted: AdmittedRequest,
): Promise<Buffer> {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return body;
    case 'gzip':
      return inflater.inflate(body, admitted).catch((error: unknown) => {
        if (!(error instanceof InflatedTooLarge || error instanceof NotGzip)) throw error;
        admitted.consume(REFUSED_BODY_COST);
        throw error instanceof NotGzip
          ? new HttpError('invalid_gzip', 'the body is not gzip', 'Compress it, or omit content-encoding.')
          : new HttpError(
              'batch_too_large',
              `the body inflates to more than ${MAX_BODY_BYTES} bytes`,
              'Send fewer rows per batch.',
            );
      });
  }
  throw unsupported();
}

function unsupported(): HttpError {
  return new HttpError(
    'unsupported_encoding',
    'the content-encoding is not supported',
    'Use gzip for batches and none elsewhere.',
  );
}

/** Plain JSON.parse: its result is checked by hand or by schema, own properties only. */
function parseJson(body: Buffer, encoding: string): unknown {
  if (encoding.toLowerCase() !== 'identity') throw unsupported();
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError('invalid_json', 'the body is not JSON', 'Send one JSON document in UTF-8.');
  }
}
