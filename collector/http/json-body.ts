import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { MAX_DECOMPRESSED_BYTES } from '../../shared/wire/wire-limits.ts';
import { HttpError } from './errors.ts';

const inflate = promisify(gunzip);

/** Only those who may send batches may make the collector unpack one; anybody can try to sign in. */
export const BATCH_ROUTE = '/api/v1/batches';

/**
 * JSON bodies, plain everywhere and gzip for batches, whose route gets the bytes: it reads them without making objects.
 * A content-length over the route's limit is refused before reading, and a stream that grows past it is not kept; gunzip stops
 * at MAX_DECOMPRESSED_BYTES, so a bomb never costs more than that.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { url } = request.routeOptions;
    const encoding = request.headers['content-encoding'];
    readBytes(request, payload, (read) => {
      if (read instanceof Error) done(read);
      // Most batches are as they came: no promise for them.
      else if (url === BATCH_ROUTE && encoding === undefined) done(null, read);
      else {
        decompress(read, encoding ?? 'identity', url)
          .then((body) => (url === BATCH_ROUTE ? body : parseJson(body)))
          .then((body) => done(null, body), done);
      }
    });
  });
}

/**
 * What Fastify's own `parseAs` does, but for its copy of each body: a body mostly comes in one piece, which node:http has
 * made for it alone, and holds to the length that was told. The copies of thousands a second are what made V8 look through
 * the whole heap several times a second.
 */
function readBytes(
  { headers, routeOptions: { bodyLimit } }: FastifyRequest,
  payload: IncomingMessage,
  done: (read: Buffer | Error) => void,
): void {
  if (Number(headers['content-length']) > bodyLimit) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return;
  }
  const pieces: Buffer[] = [];
  let length = 0;
  const stop = () => {
    payload.off('data', onData);
    payload.off('end', onEnd);
    payload.off('error', onError);
  };
  const onData = (piece: Buffer) => {
    length += piece.length;
    pieces.push(piece);
    if (length <= bodyLimit) return;
    stop();
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  const onEnd = () => {
    stop();
    const [first] = pieces;
    done(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, length));
  };
  const onError = (error: Error) => {
    stop();
    done(Object.assign(error, { statusCode: 400 }));
  };
  payload.on('data', onData);
  payload.on('end', onEnd);
  payload.on('error', onError);
}

async function decompress(body: Buffer, encoding: string, route: string | undefined): Promise<Buffer> {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return body;
    case 'gzip':
      if (route !== BATCH_ROUTE) break;
      return inflate(body, { maxOutputLength: MAX_DECOMPRESSED_BYTES }).catch((error: unknown) => {
        throw tooLarge(error)
          ? new HttpError(
              'batch_too_large',
              `the body unpacks to more than ${MAX_DECOMPRESSED_BYTES} bytes`,
              'Send fewer rows a batch.',
            )
          : new HttpError('invalid_gzip', 'the body is not gzip', 'Compress it, or leave content-encoding away.');
      });
  }
  throw new HttpError(
    'unsupported_encoding',
    'this content-encoding is not known here',
    'Use gzip for batches, none elsewhere.',
  );
}

function tooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

/** Plain JSON.parse: what it makes is checked by hand or by schema, own properties only. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new HttpError('invalid_json', 'the body is not JSON', 'Send one JSON document in UTF-8.');
  }
}
