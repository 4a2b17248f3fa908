import { startDelayProxy } from './delay-proxy.ts';
import { labAnswer } from './lab-answer.ts';
import { type LabTls, startLabServer } from './lab-server.ts';
import type { LoopbackServer } from './loopback-server.ts';
import { createServerCertificate } from './server-certificate.ts';
import type { RequestTruth } from './server-truth.ts';
import { startSocksPath } from './socks-path.ts';

/** Browsers resolve every subdomain of localhost to this machine. RFC 6761, section 6.3. */
export const LAB_HOST = 'target.localhost';
/** The same servers, only over the SOCKS path: browsers ignore HSTS from subdomains of localhost. */
export const PATH_HOST = 'target.test';

/** One port each; all serve plain HTTP too. */
const VARIANTS = {
  tls13: { version: 'TLSv1.3', protocol: 'http/1.1', tickets: true },
  'tls13-full': { version: 'TLSv1.3', protocol: 'http/1.1', tickets: false },
  tls12: { version: 'TLSv1.2', protocol: 'http/1.1', tickets: true },
  'tls12-full': { version: 'TLSv1.2', protocol: 'http/1.1', tickets: false },
  h2: { version: 'TLSv1.3', protocol: 'h2', tickets: true },
  expired: { version: 'TLSv1.3', protocol: 'http/1.1', tickets: true },
} as const satisfies Record<string, Omit<LabTls, 'certificate'>>;

export type LabVariant = keyof typeof VARIANTS;
export const LAB_VARIANTS = Object.keys(VARIANTS) as readonly LabVariant[];

/** Age at which a certificate has certainly expired, ms. */
const EXPIRED_MS = 365 * 24 * 3600 * 1000;

export interface LabSite {
  /** By variant, such as 43211. */
  readonly ports: Readonly<Record<LabVariant, number>>;
  /** `socks5://127.0.0.1:<port>`: the same servers over a path that delays the TCP handshake too. */
  readonly path: string;
  /** PEM; trust it in a temporary profile only. */
  readonly authority: string;
  close(): Promise<void>;
}

export interface LabSiteOptions {
  readonly now: number;
  readonly roundTripMs: number;
  readonly serverDelayMs: number;
  /** Called for every request. */
  readonly seen?: (truth: RequestTruth) => void;
}

/** Starts every variant, each on its own loopback port, and a SOCKS path to them with a known delay. */
export async function startLabSite(options: LabSiteOptions): Promise<LabSite> {
  const { now, roundTripMs, serverDelayMs, seen } = options;
  const hosts = [LAB_HOST, `*.${LAB_HOST}`, PATH_HOST];
  const certificate = await createServerCertificate(hosts, now);
  const expired = await createServerCertificate(hosts, now - EXPIRED_MS);
  const running: LoopbackServer[] = [];
  const ports: Partial<Record<LabVariant, number>> = {};
  /** Public port → the server's own: the path has its own delay. */
  const direct = new Map<number, number>();
  const close = async () => {
    await Promise.all(running.map((one) => one.close()));
  };
  let count = 0;
  try {
    for (const variant of LAB_VARIANTS) {
      const tls = { ...VARIANTS[variant], certificate: variant === 'expired' ? expired : certificate };
      const server = await startLabServer(
        { tls, plainToo: true, connection: 'keep-alive', serverDelayMs, ...(seen ? { seen } : {}) },
        (path) => labAnswer(path, count++),
      );
      running.push(server);
      const front = roundTripMs > 0 ? await startDelayProxy(server.port, roundTripMs) : server;
      if (front !== server) running.push(front);
      ports[variant] = front.port;
      direct.set(front.port, server.port);
    }
    const path = await startSocksPath((requested) => {
      const port = direct.get(requested);
      return port === undefined ? null : { port, roundTripMs };
    });
    running.push(path);
    return {
      ports: ports as Record<LabVariant, number>,
      path: `socks5://127.0.0.1:${path.port}`,
      authority: certificate.authority,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
