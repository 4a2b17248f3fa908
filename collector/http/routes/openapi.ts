import { Type } from 'typebox';
import type { TypedApp } from '../api/app-deps.ts';
import { type KnownRoute, openApiDocument } from '../openapi/openapi-document.ts';
import { ERRORS } from '../schemas/common-schemas.ts';

const DocumentSchema = Type.Unsafe<object>({ type: 'object', description: 'OpenAPI 3.1.' });

/** `GET /openapi.json`, made of the routes themselves. Call it before any route is registered: it has to see them all. */
export function openApiRoute(app: TypedApp, version: string): void {
  const routes: KnownRoute[] = [];
  let document: string | null = null;
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    // Files of the dashboard and the like have none.
    if (schema === undefined) return;
    for (const one of [method].flat()) {
      if (one !== 'HEAD') routes.push({ method: one, url, allow: config?.allow ?? 'everyone', schema });
    }
  });
  app.get('/openapi.json', {
    config: { allow: 'everyone' },
    schema: { response: { 200: DocumentSchema, ...ERRORS } },
    handler: async (_request, reply) => {
      // Written once: nobody needs a token to ask for it.
      document ??= JSON.stringify(openApiDocument(routes, version));
      reply.type('application/json; charset=utf-8');
      // Cast: a text goes past the serializer, which is what makes it cheap.
      return reply.send(document as unknown as object);
    },
  });
}
