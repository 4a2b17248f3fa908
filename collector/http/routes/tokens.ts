import { Type } from 'typebox';
import { object } from '../../../shared/vocabulary/json-schema.ts';
import { PLAIN_TEXT } from '../../../shared/vocabulary/plain-text.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { MAX_LABEL_LENGTH, makeToken } from '../auth/token-text.ts';
import { BY_ID, route, toMoment } from '../schemas/common-schemas.ts';
import { RoleSchema, TokensSchema } from '../schemas/control-answers.ts';

const PATH = '/api/v1/tokens';

/** Tokens of browsers and people, for admins: `lastbyte token` for the dashboard. */
export function tokenRoutes(app: TypedApp, { store, clock }: Pick<AppDeps, 'store' | 'clock'>): void {
  app.get(PATH, {
    ...route(['admin'], 'Tokens without their secrets.', TokensSchema),
    handler: async (request) => ({
      tokens: (await store.tokens.list()).map(({ id, role, label, createdAt }) => ({
        id,
        role,
        label,
        createdAt: toMoment(createdAt),
        current: id === request.token?.id,
      })),
    }),
  });

  app.post(PATH, {
    ...route(
      ['admin'],
      'Create a token; it is shown only once.',
      object({ id: Type.String(), role: RoleSchema, token: Type.String() }),
      {
        example: { role: 'ingest', label: 'sales laptops' },
        body: object({ role: RoleSchema, label: Type.String({ maxLength: MAX_LABEL_LENGTH, pattern: PLAIN_TEXT }) }),
      },
    ),
    handler: async (request, reply) => {
      const { role, label } = request.body;
      const { stored, token } = makeToken(role, label.trim(), clock());
      await store.tokens.create(stored);
      // Shown only this once; no cache may store it.
      reply.header('cache-control', 'no-store');
      return { id: stored.id, role: stored.role, token };
    },
  });

  app.delete(`${PATH}/:id`, {
    ...route(['admin'], 'Revoke a token, and every session opened with it.', Type.Null(), BY_ID, 204),
    handler: async (request, reply) => {
      if (!(await store.tokens.revoke(request.params.id))) {
        throw new HttpError('not_found', 'the token no longer exists', 'Read the list again.');
      }
      return reply.code(204).send(null);
    },
  });
}
