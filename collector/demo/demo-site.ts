import { type DelayProxy, startDelayProxy } from '../target/delay-proxy.ts';
import { createServerCertificate, type ServerCertificate } from '../target/server-certificate.ts';
import { startTargetServer, type TargetServer, type TargetServerOptions } from '../target/target-server.ts';
import { answer } from './demo-answer.ts';
import { DEMO_APPS, type DemoApp } from './demo-apps.ts';

export interface DemoSite {
  /** Of each app, such as `https://keepalive.demo.test:43211`, by host. */
  readonly origins: Readonly<Record<string, string>>;
  /** PEM, to be trusted in a temporary profile only. */
  readonly authority: string;
  close(): Promise<void>;
}

/** Starts every app of the demo behind its delay, each on its own loopback port. */
export async function startDemoSite(now: number, apps: readonly DemoApp[] = DEMO_APPS): Promise<DemoSite> {
  const certificate = createServerCertificate(
    apps.map((app) => app.host),
    now,
  );
  const origins: Record<string, string> = {};
  const parts: (TargetServer | DelayProxy)[] = [];
  const close = async () => {
    await Promise.all(parts.map((part) => part.close()));
  };
  const thirdParty = apps.find((app) => app.target === null)?.host ?? '';
  try {
    for (const app of apps) {
      const title = app.target?.name ?? app.host;
      const server = await startTargetServer(serverOptions(app, certificate), (path) =>
        answer(path, title, origins[thirdParty] ?? ''),
      );
      parts.push(server);
      const proxy = await startDelayProxy(server.port, app.roundTripMs);
      parts.push(proxy);
      origins[app.host] = `${app.scheme}://${app.host}:${proxy.port}`;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { origins, authority: certificate.authority, close };
}

function serverOptions(app: DemoApp, certificate: ServerCertificate): TargetServerOptions {
  const { tlsVersion: version, protocol, connection, serverDelayMs } = app;
  const tls = version === null ? null : { certificate, version, protocol, tickets: true };
  return { tls, connection, serverDelayMs };
}
