import { type DelayProxy, startDelayProxy } from './delay-proxy.ts';
import { createServerCertificate } from './server-certificate.ts';
import type { RequestTruth } from './server-truth.ts';
import { type SocksPath, startSocksPath } from './socks-path.ts';
import { targetAnswer } from './target-answer.ts';
import { startTargetServer, type TargetServer, type TargetTls } from './target-server.ts';

/** Browsers resolve every name below localhost to this machine. RFC 6761, section 6.3. */
export const TARGET_HOST = 'target.localhost';
/** The same servers, over the path only: browsers take no HSTS from names below localhost. */
export const PATH_HOST = 'target.test';

/** One port each; all answer plain HTTP too. */
const VARIANTS = {
  tls13: { version: 'TLSv1.3', protocol: 'http/1.1', tickets: true },
  'tls13-full': { version: 'TLSv1.3', protocol: 'http/1.1', tickets: false },
  tls12: { version: 'TLSv1.2', protocol: 'http/1.1', tickets: true },
  'tls12-full': { version: 'TLSv1.2', protocol: 'http/1.1', tickets: false },
  h2: { version: 'TLSv1.3', protocol: 'h2', tickets: true },
  expired: { version: 'TLSv1.3', protocol: 'http/1.1', tickets: true },
} as const satisfies Record<string, Omit<TargetTls, 'certificate'>>;

export type TargetVariant = keyof typeof VARIANTS;
export const TARGET_VARIANTS = Object.keys(VARIANTS) as readonly TargetVariant[];

/** Long enough ago that its certificates have run out, ms. */
const EXPIRED_MS = 365 * 24 * 3600 * 1000;

export interface TargetSite {
  /** Of each variant, such as 43211. */
  readonly ports: Readonly<Record<TargetVariant, number>>;
  /** `socks5://127.0.0.1:<port>`: the same servers over a path whose delay the TCP handshake sees too. */
  readonly path: string;
  /** PEM, to be trusted in a temporary profile only. */
  readonly authority: string;
  close(): Promise<void>;
}

export interface TargetSiteOptions {
  readonly now: number;
  readonly roundTripMs: number;
  readonly serverDelayMs: number;
  /** Told of every request, for tests that compare. */
  readonly seen?: (truth: RequestTruth) => void;
}

/** Starts every variant, each on its own loopback port, and a path to them with a known delay. */
export async function startTargetSite(options: TargetSiteOptions): Promise<TargetSite> {
  const { now, roundTripMs, serverDelayMs, seen } = options;
  const hosts = [TARGET_HOST, `*.${TARGET_HOST}`, PATH_HOST];
  const certificate = createServerCertificate(hosts, now);
  const expired = createServerCertificate(hosts, now - EXPIRED_MS);
  const parts: (TargetServer | DelayProxy | SocksPath)[] = [];
  const ports: Partial<Record<TargetVariant, number>> = {};
  /** Public port → the server's own: the path brings its own delay. */
  const direct = new Map<number, number>();
  const close = async () => {
    await Promise.all(parts.map((part) => part.close()));
  };
  let count = 0;
  try {
    for (const variant of TARGET_VARIANTS) {
      const tls = { ...VARIANTS[variant], certificate: variant === 'expired' ? expired : certificate };
      const server = await startTargetServer(
        { tls, plainToo: true, connection: 'keep-alive', serverDelayMs, ...(seen ? { seen } : {}) },
        (path) => targetAnswer(path, count++),
      );
      parts.push(server);
      const front = roundTripMs > 0 ? await startDelayProxy(server.port, roundTripMs) : server;
      if (front !== server) parts.push(front);
      ports[variant] = front.port;
      direct.set(front.port, server.port);
    }
    const path = await startSocksPath((asked) => {
      const port = direct.get(asked);
      return port === undefined ? null : { port, roundTripMs };
    });
    parts.push(path);
    return {
      ports: ports as Record<TargetVariant, number>,
      path: `socks5://127.0.0.1:${path.port}`,
      authority: certificate.authority,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
