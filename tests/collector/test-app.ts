import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { onTestFinished } from 'vitest';
import type { AppDeps } from '../../collector/http/api/app-deps.ts';
import { PROGRESS_TYPE } from '../../collector/http/api/progress-answer.ts';
import { buildApp } from '../../collector/http/app.ts';
import { makeToken } from '../../collector/http/auth/token-text.ts';
import { openStore } from '../../collector/storage/open-store.ts';
import { ROLES, type Role, type Store } from '../../collector/storage/store.ts';
import { NOW } from '../unit/wire/arbitrary-sample.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestApp {
  readonly store: Store;
  readonly tokens: Readonly<Record<Role, string>>;
  /** What the collector's clock says; tests may move it. */
  readonly clock: { now: number };
  readonly log: readonly string[];
  /** Injects a request, with the token of a role if one is named. */
  send(options: InjectOptions & { readonly as?: Role }): Promise<LightMyRequestResponse>;
}

/** The whole app over a real store, not listening. Every answer is held against the schema its route declares. */
export async function testApp(changes: Partial<AppDeps> = {}): Promise<TestApp> {
  const clock = { now: NOW };
  // The store's own clock goes on from NOW and never jumps, which it would doubt. By the machine's date its upkeep, ten
  // seconds after the start, would remove the samples of NOW as too old.
  const started = Date.now();
  const storeClock = () => NOW + Date.now() - started;
  const store =
    changes.store ?? (await openStore({ folder: await temporaryFolder(), as: 'server', clock: storeClock }));
  const log: string[] = [];
  const tokens = {} as Record<Role, string>;
  for (const role of ROLES) {
    const { stored, token } = makeToken(role, '', NOW);
    await store.tokens.create(stored);
    tokens[role] = token;
  }
  const app = await buildApp({
    store,
    clock: () => clock.now,
    version: '9.9.9',
    dashboardFolder: null,
    loopbackOnly: true,
    trustProxy: false,
    tls: null,
    log: { write: (line: string) => log.push(line) > 0 } as unknown as NodeJS.WritableStream,
    ...changes,
  });
  const undeclared: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const declared = request.routeOptions.schema?.response as Record<string, TSchema> | undefined;
    if (declared === undefined || reply.statusCode === 304 || reply.statusCode === 204) return;
    // Lines, of which only the last is what was declared.
    if (reply.getHeader('content-type') === PROGRESS_TYPE) return;
    const schema = declared[reply.statusCode] ?? declared[`${Math.floor(reply.statusCode / 100)}xx`];
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    // A file is streamed.
    const isWhole = typeof payload === 'string' || payload instanceof Uint8Array;
    const body: unknown = isJson && isWhole ? JSON.parse(Buffer.from(payload).toString()) : null;
    if (schema === undefined || !Value.Check(schema, body)) {
      const faults = schema === undefined ? 'no schema' : JSON.stringify(Value.Errors(schema, body));
      undeclared.push(`${request.method} ${request.url} → ${reply.statusCode}: ${faults}`);
    }
  });
  onTestFinished(async () => {
    await app.close();
    await store.close();
  });
  return {
    store,
    tokens,
    clock,
    log,
    async send({ as, ...options }) {
      const authorization = as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` };
      const response = await app.inject({
        ...options,
        headers: { host: 'localhost:8642', ...authorization, ...options.headers },
      });
      if (undeclared.length > 0) throw new Error(`answer is not as declared: ${undeclared.splice(0).join('\n')}`);
      return response;
    },
  };
}
