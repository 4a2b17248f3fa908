import { type LabServerOptions, startLabServer } from '../servers/lab-server.ts';
import type { LoopbackServer } from '../servers/loopback-server.ts';
import { createServerCertificate, type ServerCertificate } from '../servers/server-certificate.ts';
import { type SocksRoute, startSocksPath } from '../servers/socks-path.ts';
import { answer } from './demo-answer.ts';
import { DEMO_APPS, type DemoApp } from './demo-apps.ts';

export interface DemoSite {
  /** By host, such as `https://keepalive.demo.test:43211`. */
  readonly origins: Readonly<Record<string, string>>;
  /** The browser's proxy to all of them: adds each app's round trip, to the TCP handshake too. */
  readonly proxy: string;
  /** PEM; trust it in a temporary profile only. */
  readonly authority: string;
  close(): Promise<void>;
}

/** Starts every app of the demo, each on its own loopback port, and one SOCKS path to them. */
export async function startDemoSite(now: number, apps: readonly DemoApp[] = DEMO_APPS): Promise<DemoSite> {
  const certificate = await createServerCertificate(
    apps.map((app) => app.host),
    now,
  );
  const origins: Record<string, string> = {};
  const routes = new Map<number, SocksRoute>();
  const running: Pick<LoopbackServer, 'close'>[] = [];
  const close = async () => {
    await Promise.all(running.map((one) => one.close()));
  };
  const thirdParty = apps.find((app) => app.target === null)?.host ?? '';
  try {
    for (const app of apps) {
      const title = app.target?.name ?? app.host;
      const server = await startLabServer(serverOptions(app, certificate), (path) =>
        answer(path, title, origins[thirdParty] ?? ''),
      );
      running.push(server);
      routes.set(server.port, { port: server.port, roundTripMs: app.roundTripMs });
      origins[app.host] = `${app.scheme}://${app.host}:${server.port}`;
    }
    const path = await startSocksPath((port) => routes.get(port) ?? null);
    running.push(path);
    return { origins, proxy: `socks5://127.0.0.1:${path.port}`, authority: certificate.authority, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function serverOptions(app: DemoApp, certificate: ServerCertificate): LabServerOptions {
  const { tlsVersion: version, protocol, connection, serverDelayMs } = app;
  const tls = version === null ? null : { certificate, version, protocol, tickets: true };
  return { tls, connection, serverDelayMs };
}
