import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Role, StoredToken } from '../storage/store.ts';

/** Fastify whose handlers get the types of their route's schemas. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which roles may call the route; `everyone` needs no token. A route without it can't be registered. */
    allow?: readonly Role[] | 'everyone';
  }
  interface FastifyRequest {
    /** Who asks; null where everyone may. */
    token: StoredToken | null;
  }
}
