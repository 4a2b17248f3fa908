import type { Role } from '../../storage/store.ts';
import { PROGRESS_TYPE } from '../api/progress-answer.ts';
import { OPERATIONS } from './operations.ts';
import { parametersOf } from './parameters.ts';

/** What is known of a route when it is registered. */
export interface KnownRoute {
  readonly method: string;
  /** With `:name` for what is open. */
  readonly url: string;
  readonly allow: readonly Role[] | 'everyone';
  readonly schema: {
    readonly body?: unknown;
    readonly params?: unknown;
    readonly response?: unknown;
  };
}

/** Of an answer with its progress. */
const LINE = {
  type: 'object',
  description: 'One a line: `progress` (0 to 1) any number of times, then `answer` (as in JSON) or `error` once.',
  minProperties: 1,
  maxProperties: 1,
  properties: { progress: { type: 'number', minimum: 0, maximum: 1 }, answer: {}, error: { type: 'object' } },
};

const NOTHING: Record<string, never> = {};

/** https://spec.openapis.org/oas/v3.1.1: schemas are the very ones the routes are judged by. */
export function openApiDocument(routes: readonly KnownRoute[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of [...routes].sort((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0))) {
    const url = route.url.replace(/:(\w+)/g, '{$1}');
    const item = paths[url] ?? {};
    item[route.method.toLowerCase()] = operation(route, url);
    paths[url] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lastbyte collector',
      version,
      description: 'What users wait for, from connect to last byte. docs/operations.md says more of every address.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of `lastbyte token create`.' },
      },
    },
    paths,
  };
}

function operation({ method, url: address, allow, schema }: KnownRoute, url: string): object {
  const { summary, example, answers, progress } = OPERATIONS[`${method} ${url}`] ?? { summary: `${method} ${url}` };
  const { properties = NOTHING } = plain(schema.params ?? {}) as { properties?: Record<string, object> };
  const open = Object.entries(properties).map(([name, one]) => ({ name, in: 'path', required: true, schema: one }));
  const parameters = [...open, ...parametersOf(address)];
  return {
    summary,
    ...(allow === 'everyone' ? {} : { description: `For tokens of the role ${allow.join(' or ')}.` }),
    operationId: `${method.toLowerCase()}${url.replace(/[^a-z0-9]+(.)?/gi, (_, next = '') => next.toUpperCase())}`,
    security: allow === 'everyone' ? [] : [{ token: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: plain(schema.body), ...(example === undefined ? {} : { example }) },
            },
          },
        }),
    responses: responses(schema.response, answers, progress),
  };
}

function responses(declared: unknown, answers = 'application/json', progress = false): object {
  const entries = Object.entries((declared ?? {}) as Record<string, unknown>).map(([status, schema]) => {
    const ok = status.startsWith('2');
    const type = ok ? answers : 'application/json';
    const description = ok ? 'Done.' : status === '4xx' ? 'Asked wrongly.' : 'The collector failed.';
    const empty = (schema as { type?: string }).type === 'null';
    const lines = ok && progress ? { [PROGRESS_TYPE]: { schema: LINE } } : {};
    const content = empty ? {} : { content: { [type]: { schema: plain(schema) }, ...lines } };
    return [status.toUpperCase(), { description, ...content }];
  });
  return Object.fromEntries(entries);
}

/** TypeBox's own marks are no JSON Schema. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('~') ? undefined : value)));
}
