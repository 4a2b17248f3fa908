import { type DelayProxy, startDelayProxy } from './delay-proxy.ts';
import { answer } from './demo-answer.ts';
import { DEMO_APPS, type DemoApp } from './demo-apps.ts';
import { createDemoCertificate } from './demo-certificate.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

export interface DemoSite {
  /** Of each app, such as `https://keepalive.demo.test:43211`, by host. */
  readonly origins: Readonly<Record<string, string>>;
  /** PEM, to be trusted in a temporary profile only. */
  readonly authority: string;
  close(): Promise<void>;
}

/** Starts every app of the demo behind its delay, each on its own loopback port. */
export async function startDemoSite(now: number, apps: readonly DemoApp[] = DEMO_APPS): Promise<DemoSite> {
  const certificate = createDemoCertificate(
    apps.map((app) => app.host),
    now,
  );
  const origins: Record<string, string> = {};
  const parts: (DemoServer | DelayProxy)[] = [];
  const close = async () => {
    await Promise.all(parts.map((part) => part.close()));
  };
  const thirdParty = apps.find((app) => app.target === null)?.host ?? '';
  try {
    for (const app of apps) {
      const title = app.target?.name ?? app.host;
      const server = await startDemoServer(app, certificate, (path) => answer(path, title, origins[thirdParty] ?? ''));
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
