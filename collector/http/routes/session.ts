import { Type } from 'typebox';
import { object, words } from '../../../shared/vocabulary/json-schema.ts';
import type { AdmissionControl } from '../../ingest/admission/admission.ts';
import type { Role } from '../../storage/store.ts';
import type { AppDeps, TypedApp } from '../api/app-deps.ts';
import { HttpError } from '../api/errors.ts';
import { authenticate, limitUnauthenticated } from '../auth/authenticate.ts';
import { expiredSessionCookie, readSessionCookie, type Sessions, sessionCookie } from '../auth/sessions.ts';
import { hashToken } from '../auth/token-text.ts';
import { route } from '../schemas/common-schemas.ts';

const PATH = '/api/v1/session';
/** A token in a JSON object; anyone may send it. */
const MAX_SESSION_BODY_BYTES = 1024;
const PEOPLE = ['read', 'admin'] as const satisfies readonly Role[];

const RoleSchema = object({ role: words(PEOPLE) });

/** People sign in with a token once; after that a cookie that scripts can't read authenticates them. */
export function sessionRoutes(
  app: TypedApp,
  {
    store,
    sessions,
    admission,
  }: Pick<AppDeps, 'store'> & { readonly sessions: Sessions; readonly admission: AdmissionControl },
): void {
  app.post(PATH, {
    ...route('everyone', 'Sign a browser in with a read or an admin token; sets a cookie.', RoleSchema, {
      example: { token: 'lb_read_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' },
      body: object({ token: Type.String({ maxLength: 512 }) }),
    }),
    // Before the body is read: every successful sign-in writes to the store.
    onRequest: (request, reply) => limitUnauthenticated(admission, request, reply, 'limitSignIn'),
    bodyLimit: MAX_SESSION_BODY_BYTES,
    handler: async (request, reply) => {
      const hash = hashToken(request.body.token.trim());
      const token = await store.tokens.findByHash(hash);
      if (token === null) {
        throw new HttpError('unauthorized', 'the token is unknown', 'Copy all of it; a lost token has to be replaced.');
      }
      if (token.role === 'ingest') {
        throw new HttpError('forbidden', 'an ingest key is for browsers', 'Sign in with a read or admin token.');
      }
      reply.header('set-cookie', sessionCookie(request, await sessions.open(hash)));
      return { role: token.role };
    },
  });

  app.get(PATH, route(PEOPLE, 'The role of the session.', RoleSchema), async (request) => {
    const { role } = await authenticate(request, PEOPLE, store.tokens, sessions);
    return { role: role === 'admin' ? role : 'read' } as const;
  });

  app.delete(PATH, route('everyone', 'Sign out.', Type.Null(), {}, 204), async (request, reply) => {
    const id = readSessionCookie(request);
    // An unknown id causes no write, and is charged like any guessed token.
    if (id !== null && (await sessions.tokenHashOf(id)) !== null) await sessions.close(id);
    else if (id !== null) await limitUnauthenticated(admission, request, reply);
    reply.header('set-cookie', expiredSessionCookie(request));
    return reply.code(204).send(null);
  });
}
