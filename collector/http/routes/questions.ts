import type { ServerResponse } from 'node:http';
import { Type } from 'typebox';
import type { QueryString } from '../../questions/query-string.ts';
import type { AnyQuestion } from '../../questions/question.ts';
import { QUESTIONS } from '../../questions/registry.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { answerLanguage } from '../api/page-language.ts';
import { answerWithProgress, JSON_AND_PROGRESS } from '../api/progress-answer.ts';
import type { UnsentAnswers } from '../api/unsent-answers.ts';
import { route } from '../schemas/common-schemas.ts';

export interface QuestionDeps extends Pick<AppDeps, 'store' | 'clock' | 'version'> {
  readonly unsent: UnsentAnswers;
}

/** Every question with an address, for people's tokens, limited to what their role may see. Disconnecting cancels. */
export function questionRoutes(app: TypedApp, deps: QuestionDeps): void {
  for (const question of QUESTIONS) if (question.address !== null) questionRoute(app, deps, question.address, question);
}

function questionRoute(
  app: TypedApp,
  { store, clock, version, unsent }: QuestionDeps,
  address: string,
  { description, querystring, answer, respond }: AnyQuestion,
): void {
  app.get(address, {
    ...route(['read', 'admin'], description, Type.Unsafe<unknown>(answer), {
      produces: JSON_AND_PROGRESS,
      querystring,
    }),
    // The question parses its parameters itself, with hints; the schema describes them.
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      const now = clock();
      const viewer = { role: request.token?.role ?? 'read', now } as const;
      const language = answerLanguage(request.headers['accept-language']);
      const signal = untilDisconnected(reply.raw);
      const context = { store, version, clock, viewer, language, signal, token: request.token?.id };
      return answerWithProgress(request, reply, unsent, (progress) =>
        respond({ ...context, progress }, request.query as QueryString, now),
      );
    },
  });
}

/** Aborted once the client has disconnected, which ends the work for its response. */
export function untilDisconnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (response.writableFinished) return;
    controller.abort(
      new HttpError('cancelled', 'the client disconnected before the answer was ready', 'Repeat the request.'),
    );
  });
  return controller.signal;
}
