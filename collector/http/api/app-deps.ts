import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ClientLimits } from '../../ingest/admission/admission.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { Role, Store, StoredToken } from '../../storage/store.ts';
import type { UnsentLimits } from './unsent-answers.ts';

/** Everything that the HTTP side needs from outside. */
export interface AppDeps {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Lastbyte's own version. */
  readonly version: string;
  /** Folder of the built dashboard; null serves none. */
  readonly dashboardFolder: string | null;
  /** Where packages are written to, and offered at /install; if absent, none are. */
  readonly packagesFolder?: string;
  /** Signs packages; by default that beside their folder. */
  readonly signingKeyFile?: string;
  /** Folder of the built extensions; by default the one beside the built command. */
  readonly extensionFolder?: string;
  /** Bound to loopback without a proxy in front: only loopback names are answered. */
  readonly loopbackOnly: boolean;
  /**
   * Proxies in front that give client, host and scheme in X-Forwarded-*: how many in a row, or their address ranges.
   * Earlier entries of these headers are up to the client.
   */
  readonly trustProxy: false | number | string[];
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Where scheduled reports are written; by default `reports` in the working folder. */
  readonly reportsFolder?: string;
  /** The built render-thread.ts; if absent, reports are rendered in this thread. */
  readonly reportThread?: URL | null;
  /** Addresses that webhooks and mail may reach, and their secrets. If absent, loopback is refused and no secret is read. */
  readonly outgoing?: Outgoing;
  /** By default CLIENT_LIMITS; benches send more from one address than any office does. */
  readonly clientLimits?: ClientLimits;
  /** Limit for unanswered bodies, bytes; by default MAX_BYTES_IN_FLIGHT. */
  readonly maxBytesInFlight?: number;
  /** By default REQUEST_TIMEOUT_MS. */
  readonly requestTimeoutMs?: number;
  /** How many connections may be open at once; MAX_CONNECTIONS unless given. */
  readonly maxConnections?: number;
  /** By default those of unsent-answers.ts. */
  readonly unsentLimits?: UnsentLimits;
  /** OTLP endpoint that metrics are pushed to; absent or null pushes nothing. */
  readonly otlpUrl?: string | null;
  /** Log lines, one JSON object each; null logs nothing. */
  readonly log: NodeJS.WritableStream | null;
}

/** Fastify, with handlers typed by the schemas of their route. */
export type TypedApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Roles that may call the route; `everyone` needs no token. A route without it can't be registered. */
    allow?: readonly Role[] | 'everyone';
  }
  interface FastifyRequest {
    /** Null on routes that everyone may call. */
    token: StoredToken | null;
  }
}
