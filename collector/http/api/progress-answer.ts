import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonBytes } from '../../lib/json-bytes.ts';
import type { RequestOptions } from '../../storage/store.ts';
import { loggedError, toErrorBody } from './error-handler.ts';
import type { UnsentAnswers } from './unsent-answers.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** One JSON value a line: https://github.com/ndjson/ndjson-spec */
export const PROGRESS_TYPE = 'application/x-ndjson';
/** For OpenAPI. */
export const JSON_AND_PROGRESS = ['application/json', PROGRESS_TYPE];

/**
 * One response, or with `Accept: application/x-ndjson` progress as well: any number of lines `{"progress":0.42}`, then
 * `{"answer":…}` or `{"error":{code, message, hint}}`. An error before the first line has its own status, as elsewhere.
 */
export async function answerWithProgress(
  request: FastifyRequest,
  reply: FastifyReply,
  unsent: UnsentAnswers,
  ask: (progress?: RequestOptions['progress']) => Promise<JsonBytes<unknown>>,
): Promise<unknown> {
  unsent.admit(request);
  if (!wantsProgress(request)) return reply.type(JSON_TYPE).send(await ask());
  const lines = new PassThrough();
  const write = (...parts: readonly (string | Uint8Array)[]) => {
    // A client that disconnected has destroyed the stream.
    if (!lines.destroyed) for (const part of parts) lines.write(part);
  };
  const writeLine = (line: object) => write(`${JSON.stringify(line)}\n`);
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const asked = ask((part) => {
    begin();
    // A client that isn't reading doesn't need progress.
    if (!lines.writableNeedDrain) writeLine({ progress: Math.floor(part * 1000) / 1000 });
  }).then((answer) => {
    unsent.hold(request, reply, answer.length);
    return answer;
  });
  await Promise.race([begun, asked]);
  asked
    .then(
      (answer) => write('{"answer":', answer, '}\n'),
      (error: unknown) => writeLine(toErrorBody(loggedError(request, error))),
    )
    .finally(() => lines.end());
  return reply.type(PROGRESS_TYPE).send(lines);
}

export function wantsProgress({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === PROGRESS_TYPE);
}
