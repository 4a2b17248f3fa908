import fastifySwagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import type { Role } from '../../storage/store.ts';
import type { TypedApp } from '../api/app-deps.ts';
import { PROGRESS_TYPE } from '../api/progress-answer.ts';
import { route } from '../schemas/common-schemas.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** A body that is accepted as it is. */
    example?: unknown;
  }
}

const DocumentSchema = Type.Unsafe<object>({ type: 'object', description: 'OpenAPI 3.1.' });

/** A line of a response with progress. */
const LINE = {
  type: 'object',
  description: 'One per line: `progress` (0 to 1) any number of times, then `answer` (as in JSON) or `error` once.',
  minProperties: 1,
  maxProperties: 1,
  properties: { progress: { type: 'number', minimum: 0, maximum: 1 }, answer: {}, error: { type: 'object' } },
};

/** `GET /openapi.json`, made from the routes themselves. Call it before any route is registered: it has to see them all. */
export async function openApiRoute(app: TypedApp, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lastbyte collector',
        version,
        description: 'What users wait for, from connect to last byte. docs/operations.md describes every address.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'A token of `lastbyte token create`.' },
        },
      },
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({
      url,
      schema: schema === undefined ? { hide: true } : described(schema, `${route.method} ${url}`, route.config?.allow),
    }),
  });
  let document: string | null = null;
  app.get('/openapi.json', route('everyone', 'This document.', DocumentSchema), async (_request, reply) => {
    // Written once: it can be requested without a token.
    document ??= JSON.stringify(app.swagger());
    reply.type('application/json; charset=utf-8');
    // Cast: text bypasses the serializer, which is what makes it cheap.
    return reply.send(document as unknown as object);
  });
}

/** Adds the allowed roles and response media types, which route schemas lack. */
function described(
  schema: FastifySchema,
  name: string,
  allow: readonly Role[] | 'everyone' = 'everyone',
): FastifySchema {
  const { example, produces = ['application/json'], response, ...rest } = plain(schema) as FastifySchema;
  return {
    ...rest,
    ...(rest.body === undefined || example === undefined ? {} : { body: { ...rest.body, examples: [example] } }),
    ...(allow === 'everyone' ? {} : { description: `For tokens of the role ${allow.join(' or ')}.` }),
    operationId: operationId(name),
    security: allow === 'everyone' ? [] : [{ token: [] }],
    response: Object.fromEntries(
      Object.entries((response ?? {}) as Record<string, object>).map(([status, answer]) => [
        status,
        status.startsWith('2')
          ? answered('Done.', answer, produces)
          : answered(status === '4xx' ? 'The request was wrong.' : 'The collector failed.', answer, [
              'application/json',
            ]),
      ]),
    ),
  };
}

function answered(description: string, answer: object, types: readonly string[]): object {
  if ('type' in answer && answer.type === 'null') return { type: 'null', description };
  const content = types.map((type) => [type, { schema: type === PROGRESS_TYPE ? LINE : answer }]);
  return { description, content: Object.fromEntries(content) };
}

/** `GET /api/v1/tokens/:id` is getApiV1TokensId. */
function operationId(name: string): string {
  const [method = '', url = ''] = name.split(' ');
  return `${method.toLowerCase()}${url.replace(/[^a-z0-9]+(.)?/gi, (_, next = '') => next.toUpperCase())}`;
}

/** TypeBox's own markers are not JSON Schema. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('~') ? undefined : value)));
}
