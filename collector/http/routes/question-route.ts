import type { ServerResponse } from 'node:http';
import { type Static, type TSchema, Type } from 'typebox';
import type { Asker } from '../../questions/asking/asker.ts';
import type { Parameters } from '../../questions/asking/parameters.ts';
import type { JsonBytes } from '../../storage/json-bytes.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { answerWithProgress } from '../api/progress-answer.ts';
import type { UnsentAnswers } from '../api/unsent-answers.ts';
import { ERRORS } from '../schemas/common-schemas.ts';

/** Each parameter once or several times; which there are, the question's own parser knows. */
const ParametersSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));

export interface QuestionDeps extends Pick<AppDeps, 'store' | 'clock' | 'version'> {
  readonly unsent: UnsentAnswers;
}

interface QuestionRoute<T extends TSchema> {
  readonly url: string;
  readonly schema: T;
  readonly answer: (asker: Asker, parameters: Parameters, now: number) => Promise<JsonBytes<Static<T>>>;
}

/** One line of a table of questions: its address, how it is read and who answers. Returns what adds it to an app. */
export function question<T extends TSchema, Q>(
  url: string,
  schema: T,
  parse: (parameters: Parameters, now: number) => Q,
  run: (asker: Asker, query: Q) => Promise<JsonBytes<Static<T>>>,
): (app: TypedApp, deps: QuestionDeps) => void {
  return (app, deps) =>
    questionRoute(app, deps, { url, schema, answer: (asker, all, now) => run(asker, parse(all, now)) });
}

/** An address that answers a question: for people's tokens, with what their role may see, until they go away. */
export function questionRoute<T extends TSchema>(
  app: TypedApp,
  { store, clock, version, unsent }: QuestionDeps,
  { url, schema, answer }: QuestionRoute<T>,
): void {
  app.get(url, {
    // Fastify's types can't follow a schema that is a parameter here; `answer` is held to it above.
    config: { allow: ['read', 'admin'] },
    schema: { querystring: ParametersSchema, response: { 200: Type.Unsafe<unknown>(schema), ...ERRORS } },
    handler: async (request, reply) => {
      const now = clock();
      const role = request.token?.role ?? 'read';
      const signal = whileWaiting(reply.raw);
      const asker = { store, version, clock, audience: { role, now }, signal, token: request.token?.id };
      return answerWithProgress(request, reply, unsent, (progress) =>
        answer({ ...asker, progress }, request.query, now),
      );
    },
  });
}

/** Aborted once nobody waits for the answer any more: the work behind it ends. */
export function whileWaiting(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (response.writableFinished) return;
    controller.abort(new HttpError('cancelled', 'nobody waits for this answer any more', 'Ask again.'));
  });
  return controller.signal;
}
