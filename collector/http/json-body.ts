import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES, MAX_DECOMPRESSED_BYTES } from '../../shared/wire/wire-limits.ts';
import { HttpError } from './errors.ts';

const inflate = promisify(gunzip);

/** Only those who may send batches may make the collector unpack one; anybody can try to sign in. */
export const BATCH_ROUTE = '/api/v1/batches';

/**
 * JSON bodies, plain everywhere and gzip for batches, whose route gets the bytes: it reads them without making objects.
 * Fastify refuses a content-length over MAX_BODY_BYTES before reading and stops a stream that grows past it; gunzip stops
 * at MAX_DECOMPRESSED_BYTES, so a bomb never costs more than that.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (request: FastifyRequest, body: Buffer, done) => {
      const { url } = request.routeOptions;
      const encoding = request.headers['content-encoding'];
      // Most batches are as they came: no promise for them.
      if (url === BATCH_ROUTE && encoding === undefined) return done(null, body);
      return decompress(body, encoding ?? 'identity', url).then((bytes) =>
        url === BATCH_ROUTE ? bytes : parseJson(bytes),
      );
    },
  );
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
