import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressGuard } from './address-guard.ts';

/** From the first byte out to the head of the answer, ms. */
const TIMEOUT_MS = 10_000;
/** Of the head of an answer, bytes. Its body is not read. */
const MAX_ANSWER_HEAD_BYTES = 16 * 1024;

export interface PostedBytes {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal?: AbortSignal;
}

/**
 * Posts bytes, whose type is one of the headers, and gives the status. Redirects are not followed and the answer is not read:
 * whoever may write the settings can make the collector send, and learns no more than that. Throws what the network throws, or
 * an OutgoingFailure.
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
        maxHeaderSize: MAX_ANSWER_HEAD_BYTES,
        // No connection outlives its message.
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
