import type { ClientLimits } from '../ingest/client-accounts.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Store } from '../storage/store.ts';
import type { ConnectionLimits } from './bound-connections.ts';
import type { HandshakeLimits } from './bound-handshakes.ts';
import type { UnsentLimits } from './unsent-answers.ts';

/** Everything the HTTP side needs from outside. */
export interface AppDeps {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** Lastbyte's own version. */
  readonly version: string;
  /** Where the built dashboard lies; null serves none. */
  readonly dashboardFolder: string | null;
  /** Where `lastbyte package` wrote, offered at /install; absent offers nothing. */
  readonly packagesFolder?: string;
  /** Bound to loopback, with no proxy in front: only loopback names are answered to. */
  readonly loopbackOnly: boolean;
  /**
   * Proxies in front tell client, host and scheme by X-Forwarded-*: how many stand in a row, or the ranges that they come
   * from. What comes before the entries of these, clients make up.
   */
  readonly trustProxy: false | number | string[];
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Where scheduled reports are written; `reports` in the working folder unless given. */
  readonly reportsFolder?: string;
  /** The built render-thread.ts; without it reports are made in this thread. */
  readonly reportThread?: URL | null;
  /** Which addresses webhooks and mail may reach, and where their secrets are. If absent, loopback is refused and no secret is read. */
  readonly outgoing?: Outgoing;
  /** By default CLIENT_LIMITS; a bench sends more from one address than any office. */
  readonly clientLimits?: ClientLimits;
  /** Bytes of bodies that are not answered yet, held at most; by default MAX_BYTES_IN_FLIGHT. */
  readonly maxBytesInFlight?: number;
  /** The built parse-thread.ts; without it bodies that have to be parsed are parsed in this thread. */
  readonly parseThread?: URL | null;
  /** By default REQUEST_TIMEOUT_MS. */
  readonly requestTimeoutMs?: number;
  /** By default those of bound-connections.ts. */
  readonly connectionLimits?: ConnectionLimits;
  /** By default those of bound-handshakes.ts. */
  readonly handshakeLimits?: HandshakeLimits;
  /** By default those of unsent-answers.ts. */
  readonly unsentLimits?: UnsentLimits;
  /** Where metrics are pushed to by OTLP; absent or null pushes nothing. */
  readonly otlpUrl?: string | null;
  /** Where log lines go, one JSON object each; null logs nothing. */
  readonly log: NodeJS.WritableStream | null;
}
