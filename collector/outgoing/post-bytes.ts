import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressGuard } from './address-guard.ts';

/** Limit until the response headers arrive, ms. */
const TIMEOUT_MS = 10_000;
/** Limit for response headers, bytes. The body is not read. */
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

export interface PostedBytes {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal?: AbortSignal;
}

/**
 * Posts bytes, with their type among the headers, and resolves with the status. Does not follow redirects or read the
 * response body, since admins can make the collector send but must not learn more. Not with fetch, which takes no lookup
 * function. Throws network errors, or an OutgoingFailure.
 */
export function postBytes(guard: AddressGuard, { url, headers, body, signal }: PostedBytes): Promise<number> {
  return new Promise((resolve, reject) => {
    guard.check(url.hostname);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': body.byteLength },
        lookup: guard.lookup,
        maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
        // A new connection for each message.
        agent: false,
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
