import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BATCH_EXAMPLE } from '../../collector/http/schemas/batch-schemas.ts';
import type { Role } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { testApp } from './test-app.ts';

interface Operation {
  readonly summary: string;
  readonly operationId: string;
  readonly description?: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { name: string; in: string; schema: { type?: string }; example?: string }[];
  readonly requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  readonly responses: Record<string, { description: string; content?: object }>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

/** The whole interface. */
const OPERATIONS = [
  'DELETE /api/v1/annotations/{id}',
  'DELETE /api/v1/session',
  'DELETE /api/v1/tokens/{id}',
  'DELETE /api/v1/views/{id}',
  'GET /api/v1/alerts',
  'GET /api/v1/annotations',
  'GET /api/v1/changes',
  'GET /api/v1/clock',
  'GET /api/v1/collector',
  'GET /api/v1/compare',
  'GET /api/v1/evidence',
  'GET /api/v1/export',
  'GET /api/v1/extension-settings',
  'GET /api/v1/findings',
  'GET /api/v1/fleet',
  'GET /api/v1/histogram',
  'GET /api/v1/packages',
  'GET /api/v1/page-view',
  'GET /api/v1/pages',
  'GET /api/v1/probes',
  'GET /api/v1/report',
  'GET /api/v1/report-runs',
  'GET /api/v1/samples',
  'GET /api/v1/session',
  'GET /api/v1/settings',
  'GET /api/v1/settings/revisions',
  'GET /api/v1/settings/revisions/{revision}',
  'GET /api/v1/site-hosts',
  'GET /api/v1/summary',
  'GET /api/v1/timeline',
  'GET /api/v1/tls',
  'GET /api/v1/tokens',
  'GET /api/v1/views',
  'GET /api/v1/what-if',
  'GET /healthz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /readyz',
  'POST /api/v1/alerts/test',
  'POST /api/v1/annotations',
  'POST /api/v1/batches',
  'POST /api/v1/packages',
  'POST /api/v1/policies',
  'POST /api/v1/report-runs',
  'POST /api/v1/session',
  'POST /api/v1/settings/check',
  'POST /api/v1/tokens',
  'PUT /api/v1/settings',
  'PUT /api/v1/views/{id}',
];

async function describedApp() {
  const app = await testApp();
  const response = await app.send({ url: '/openapi.json' });
  const document = response.json() as Document;
  const operations = Object.entries(document.paths).flatMap(([url, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), url, operation })),
  );
  return { app, document, operations, text: response.body };
}

test('every address is described, nothing else is, and each has a name of its own', async () => {
  const { document, operations, text } = await describedApp();
  expect(document.openapi).toBe('3.1.0');
  expect(text).not.toContain('"~');
  expect(operations.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(OPERATIONS);
  for (const { url, operation } of operations)
    expect({ url, summary: operation.summary }).toEqual({ url, summary: expect.stringMatching(/\.$/) });
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { url, operation } of operations) {
    const open = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
    expect({ url, inPath }).toEqual({ url, inPath: open });
    expect({ url, responses: Object.keys(operation.responses).sort() }).toEqual({
      url,
      responses: expect.arrayContaining(['4XX', '5XX', expect.stringMatching(/^20[024]$/)]),
    });
  }
});

/** Their parameters depend on the view. */
const OPEN_ENDED = ['/api/v1/report'];

test('a question’s parameters are the ones it takes, no more and no fewer', async () => {
  const { app, operations } = await describedApp();
  const questions = operations.filter(
    ({ method, operation }) => method === 'GET' && operation.parameters?.[0]?.in === 'query',
  );
  expect(questions.length).toBeGreaterThan(8);
  for (const { url, operation } of questions) {
    const { error } = (await app.send({ url: `${url}?zzz=1`, as: 'admin' })).json();
    const known = /Known parameters: (.*)\.$/.exec(error.hint)?.[1]?.split(', ') ?? [];
    const described = operation.parameters?.map(({ name }) => name) ?? [];
    if (OPEN_ENDED.includes(url)) continue;
    expect({ url, described: [...described].sort() }).toEqual({ url, described: [...known].sort() });
  }
});

function exampleQuery({ parameters = [] }: Operation): URLSearchParams {
  return new URLSearchParams(
    parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
  );
}

test('every example of a parameter is accepted', async () => {
  const { app, operations } = await describedApp();
  for (const { url, method, operation } of operations) {
    if (method !== 'GET' || url.includes('{')) continue;
    const query = exampleQuery(operation);
    const as: Role = operation.description?.includes('ingest') ? 'ingest' : 'admin';
    const { statusCode, body } = await app.send({ url: `${url}?${query}`, as });
    expect({ url, statusCode, body: statusCode === 200 ? '' : body }).toEqual({ url, statusCode: 200, body: '' });
  }
});

test('every body is shown by an example that is taken as it stands', async () => {
  const { app, operations } = await describedApp();
  const hook = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(hook, 'listening');
  process.env.LASTBYTE_CHAT_URL = `http://127.0.0.1:${(hook.address() as { port: number }).port}/`;
  onTestFinished(() => {
    delete process.env.LASTBYTE_CHAT_URL;
    hook.close();
  });
  app.clock.now = NOW;
  const order = ['/api/v1/settings', '/api/v1/alerts/test'];
  const withBody = operations
    .filter(({ operation }) => operation.requestBody !== undefined)
    .sort((a, b) => order.indexOf(b.url) - order.indexOf(a.url))
    .sort((a, b) => Number(b.url === order[0]) - Number(a.url === order[0]));
  expect(withBody.length).toBeGreaterThan(5);
  for (const { method, url, operation } of withBody) {
    const example = operation.requestBody?.content['application/json']?.example;
    expect({ url, example: example !== undefined }).toEqual({ url, example: true });
    // Nobody has the token of the example, no report is scheduled here, and there is no folder for packages: refused for
    // that, not for its form.
    const expected: Record<string, number> = {
      '/api/v1/session': 401,
      '/api/v1/report-runs': 404,
      '/api/v1/packages': 404,
      '/api/v1/policies': 409,
    };
    const as: Role = url === '/api/v1/batches' ? 'ingest' : 'admin';
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await app.send({
      method: method as 'POST',
      url: url.replace('{id}', 'example'),
      as,
      headers,
      body: JSON.stringify(example),
    });
    const wanted = expected[url] ?? 200;
    expect({ url, statusCode, body: statusCode === wanted ? '' : body }).toEqual({ url, statusCode: wanted, body: '' });
  }
  const { rejected, accepted } = (
    await app.send({
      method: 'POST',
      url: '/api/v1/batches',
      as: 'ingest',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...BATCH_EXAMPLE, batch: crypto.randomUUID() }),
    })
  ).json();
  expect({ rejected, accepted }).toEqual({ rejected: [], accepted: 1 });
});

test('a batch is described as JSON, and as nothing else', async () => {
  const { operations } = await describedApp();
  const content = operations.find(({ url }) => url === '/api/v1/batches')?.operation.requestBody?.content;
  expect(Object.keys(content ?? {})).toEqual(['application/json']);
  expect(content).toMatchObject({
    'application/json': { schema: { type: 'object', properties: { version: { const: 1 } } } },
  });
});

test('who accepts lines gets them where they are described, and nowhere else', async () => {
  const { app, operations } = await describedApp();
  const lines = 'application/x-ndjson';
  const questions = operations.filter(({ method, url }) => method === 'GET' && url.startsWith('/api/v1/'));
  const answering = [];
  for (const { url, operation } of questions) {
    if (url.includes('{')) continue;
    const query = exampleQuery(operation);
    const { headers } = await app.send({ url: `${url}?${query}`, as: 'admin', headers: { accept: lines } });
    if (headers['content-type'] === lines) answering.push(url);
  }
  const described = questions.filter(({ operation }) => lines in (operation.responses['200']?.content ?? {}));
  expect(answering).toContain('/api/v1/pages');
  expect(answering).toEqual(described.map(({ url }) => url));
});

test('the description is made and written once, however often it is asked for', async () => {
  const { app, text } = await describedApp();
  const stringify = vi.spyOn(JSON, 'stringify');
  onTestFinished(() => stringify.mockRestore());
  const again = await app.send({ url: '/openapi.json' });
  expect(again.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(again.body).toBe(text);
  expect(stringify.mock.calls.filter(([value]) => value?.openapi !== undefined)).toEqual([]);
});
